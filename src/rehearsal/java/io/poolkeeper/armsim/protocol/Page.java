package io.poolkeeper.armsim.protocol;

import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.model.Names;
import java.util.Comparator;
import java.util.List;

/**
 * One page of a list, ordered by name ignoring case. The token of a page is the name of the item
 * before it, so that pages stay correct while items are added and removed.
 */
public final class Page {
  private Page() {}

  /** An item, and what it is sorted by. */
  public record Item(String key, Content content) {}

  public static ArmAnswer of(ArmCall call, int size, List<Item> all) {
    List<Item> rest =
        all.stream()
            .sorted(Comparator.comparing(item -> Names.fold(item.key())))
            .dropWhile(
                item ->
                    call.skipToken()
                        .filter(token -> Names.fold(item.key()).compareTo(Names.fold(token)) <= 0)
                        .isPresent())
            .limit(size + 1L)
            .toList();
    boolean more = rest.size() > size;
    List<Item> items = more ? rest.subList(0, size) : rest;
    return ArmAnswer.of(
        200,
        out -> {
          out.writeStartObject();
          out.writeArrayFieldStart("value");
          for (Item item : items) {
            item.content().write(out);
          }
          out.writeEndArray();
          if (more) {
            out.writeStringField("nextLink", Links.nextPage(call, items.getLast().key()));
          }
          out.writeEndObject();
        });
  }
}
