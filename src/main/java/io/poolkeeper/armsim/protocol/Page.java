package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import io.poolkeeper.model.Names;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * One page of a list, ordered by name ignoring case. The token of a page is the name of the item
 * before it, so that pages stay correct while items are added and removed.
 */
public final class Page {
  private Page() {}

  @FunctionalInterface
  public interface Writer<T> {
    void write(T item, JsonGenerator out) throws IOException;
  }

  public static <T> ArmAnswer of(
      ArmCall call, int size, List<T> all, Function<T, String> name, Writer<T> writer) {
    List<T> rest =
        all.stream()
            .sorted(Comparator.comparing(item -> Names.fold(name.apply(item))))
            .dropWhile(
                item ->
                    call.skipToken().isPresent()
                        && Names.fold(name.apply(item))
                                .compareTo(Names.fold(call.skipToken().get()))
                            <= 0)
            .limit(size + 1L)
            .toList();
    boolean more = rest.size() > size;
    List<T> items = more ? rest.subList(0, size) : rest;
    return ArmAnswer.of(
        200,
        out -> {
          out.writeStartObject();
          out.writeArrayFieldStart("value");
          for (T item : items) {
            writer.write(item, out);
          }
          out.writeEndArray();
          if (more) {
            out.writeStringField("nextLink", Links.nextPage(call, name.apply(items.getLast())));
          }
          out.writeEndObject();
        });
  }
}
