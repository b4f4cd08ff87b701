package io.poolkeeper.arm.azure;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * Replaces HTTP and time below the adapter. For simulations, which run the whole pipeline with its
 * in-call retries, gates and polls on a simulated clock and network.
 */
public interface Wire {
  /**
   * A request as it would be sent; header names in lower case, the body empty if there is none.
   *
   * @param call its kind, which is not sent
   */
  record Request(
      String method, String url, Map<String, String> headers, String body, String call) {}

  record Answer(int status, Map<String, String> headers, String body) {}

  /** Receives the end of an exchange, once. */
  interface Reply {
    /** Whether anybody still waits for the answer. */
    boolean awaited();

    void answered(Answer answer);

    void failed(IOException why);
  }

  void send(Request request, Reply reply);

  /**
   * Runs a task later, on whatever thread the wire has.
   *
   * @return cancels the task if it has not run yet
   */
  Runnable later(Duration delay, Runnable task);
}
