package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.RequestIds;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An HTTP answer of ARM, read to its end.
 *
 * @param notBefore when ARM wants the same call again after an error, monotonic; empty after any
 *     other answer
 */
record Answer(int status, HttpHeaders headers, BinaryData body, Optional<Instant> notBefore) {
  /** A GUID has 36 characters, and some services append to it. */
  private static final int MAX_ID_LENGTH = 100;

  private static final HttpHeaderName ASYNC_OPERATION =
      HttpHeaderName.fromString("Azure-AsyncOperation");

  Answer(int status, HttpHeaders headers, BinaryData body) {
    this(status, headers, body, Optional.empty());
  }

  /** The answer in a response that {@link ArmClient.WholeAnswer} has read. */
  static Answer of(HttpResponse response) {
    return new Answer(
        response.getStatusCode(), response.getHeaders(), response.getBodyAsBinaryData());
  }

  /** This answer with its {@code Retry-After}, if calls are repeated after its status. */
  Answer withNotBefore(Clocks clocks, Duration maxRetryAfter) {
    if (!ArmFailure.REPEATED.contains(status)) {
      return this;
    }
    Optional<Instant> retryAt =
        header(HttpHeaderName.RETRY_AFTER)
            .flatMap(text -> RetryAfter.parse(text, clocks.wall().instant(), maxRetryAfter))
            .map(retryAfter -> clocks.monotonic().instant().plus(retryAfter.delay()));
    return new Answer(status, headers, body, retryAt);
  }

  /** This answer, if its status is in a range; any other fails. */
  Answer expect(int from, int to) {
    if (status < from || status > to) {
      throw Failures.response(this);
    }
    return this;
  }

  Optional<String> header(HttpHeaderName name) {
    return Optional.ofNullable(headers.getValue(name)).filter(value -> !value.isBlank());
  }

  String etag() {
    return header(HttpHeaderName.ETAG).orElse("");
  }

  /** The ids by which Azure's support finds the call. */
  RequestIds ids() {
    return new RequestIds(
        id("x-ms-correlation-request-id"), id("x-ms-request-id"), id("x-ms-client-request-id"));
  }

  private String id(String name) {
    return header(HttpHeaderName.fromString(name))
        .filter(id -> id.length() <= MAX_ID_LENGTH)
        .orElse("");
  }

  String contentType() {
    return header(HttpHeaderName.CONTENT_TYPE).orElse("no content type");
  }

  /** The URL at which the operation that this answer began can be followed. */
  Optional<String> operation() {
    return header(ASYNC_OPERATION);
  }

  /**
   * How long to wait before the next poll of an operation, if the answer says so in seconds and
   * means more than none. A date is ignored, as polls have a cadence of their own.
   */
  Optional<Duration> retryAfter() {
    return header(HttpHeaderName.RETRY_AFTER).flatMap(Answer::seconds).filter(Duration::isPositive);
  }

  /** A number of seconds; empty for anything else, such as a date. */
  static Optional<Duration> seconds(String text) {
    // Nine digits are 31 years: enough, and no overflow.
    return text.matches("\\d{1,9}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
        : Optional.empty();
  }
}
