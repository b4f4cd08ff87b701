package io.poolkeeper.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The ids by which Azure's support finds a call. Each is empty if it is not known.
 *
 * @param correlation {@code x-ms-correlation-request-id}: of everything that the call has caused
 * @param request {@code x-ms-request-id}: of this call
 * @param client {@code x-ms-client-request-id}: the one that was sent
 */
public record RequestIds(String correlation, String request, String client) {
  /** The ids of a call that was not sent, or whose answer has none. */
  public static final RequestIds NONE = new RequestIds("", "", "");

  /** The ids by the names that support asks for; the sent one if Azure has given none. */
  @Override
  public String toString() {
    String ofCorrelation = named("x-ms-correlation-request-id", correlation);
    String ofRequest = named("x-ms-request-id", request);
    List<String> given = Stream.of(ofCorrelation, ofRequest).filter(id -> !id.isEmpty()).toList();
    return given.isEmpty() ? named("x-ms-client-request-id", client) : String.join(", ", given);
  }

  private static String named(String header, String id) {
    return id.isEmpty() ? "" : header + " " + id;
  }
}
