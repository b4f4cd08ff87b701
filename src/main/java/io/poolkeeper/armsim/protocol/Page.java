package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import io.poolkeeper.model.Names;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One page of a list, ordered by name ignoring case. The token of a page is the name of the item
 * before it, so that pages stay correct while items are added and removed.
 *
 * @param next the token of the page after it, if there is one
 */
public record Page<T>(List<T> items, Optional<String> next) {
  /** Writes one item. */
  @FunctionalInterface
  public interface Writer<T> {
    void write(JsonGenerator out, T item) throws IOException;
  }

  public static <T> Page<T> of(
      List<T> all, Function<T, String> name, Optional<String> after, int pageSize) {
    List<T> rest =
        all.stream()
            .sorted(Comparator.comparing(item -> Names.fold(name.apply(item))))
            .dropWhile(
                item ->
                    after.isPresent()
                        && Names.fold(name.apply(item)).compareTo(Names.fold(after.get())) <= 0)
            .limit(pageSize + 1L)
            .toList();
    if (rest.size() <= pageSize) {
      return new Page<>(rest, Optional.empty());
    }
    List<T> items = rest.subList(0, pageSize);
    return new Page<>(items, Optional.of(name.apply(items.getLast())));
  }

  public ArmAnswer answer(ArmCall call, Writer<T> writer) {
    return ArmAnswer.of(
        200,
        out -> {
          out.writeStartObject();
          out.writeArrayFieldStart("value");
          for (T item : items) {
            writer.write(out, item);
          }
          out.writeEndArray();
          if (next.isPresent()) {
            out.writeStringField("nextLink", Links.nextPage(call, next.get()));
          }
          out.writeEndObject();
        });
  }
}
