package io.poolkeeper.model;

/**
 * The ids by which Azure's support finds a call. Each is empty if the answer had none.
 *
 * @param correlation {@code x-ms-correlation-request-id}: of all that the call has caused
 * @param request {@code x-ms-request-id}: of this call
 * @param client {@code x-ms-client-request-id}: the one that was sent
 */
public record RequestIds(String correlation, String request, String client) {
  /** No answer, or one without any. */
  public static final RequestIds NONE = new RequestIds("", "", "");
}
