package io.poolkeeper.arm.azure;

import java.time.Duration;

/**
 * The bounds of one call to ARM.
 *
 * @param retries the most in-call retries after a status that may pass
 * @param retryBase the first pause before an in-call retry; doubles
 * @param retryDelay the longest pause; an answer that asks for a longer one ends the call
 * @param retryTotal no in-call retry starts later than this after the call's begin
 * @param connect how long a connection may take
 * @param silence how long the peer may be silent: before its answer, and inside it
 * @param call how long one call may take, in-call retries and body included
 * @param body the largest accepted answer, in bytes
 * @param pages the most pages of one listing
 */
record Limits(
    int retries,
    Duration retryBase,
    Duration retryDelay,
    Duration retryTotal,
    Duration connect,
    Duration silence,
    Duration call,
    int body,
    int pages) {
  static final Limits DEFAULT =
      new Limits(
          3,
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(75),
          64 << 20,
          100);
}
