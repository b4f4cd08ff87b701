package io.poolkeeper.armsim;

import org.apache.pekko.http.scaladsl.model.headers.CustomHeader;

/**
 * A header that breaks the response that has it before a byte of it is sent, so that the connection
 * closes. The server has no other way to do so: a handler that fails or ends without a response
 * makes it answer 500.
 */
final class Unsendable extends CustomHeader {
  @Override
  public String name() {
    return "unsendable";
  }

  @Override
  public String value() {
    throw new Withheld();
  }

  @Override
  public boolean renderInRequests() {
    return false;
  }

  @Override
  public boolean renderInResponses() {
    return true;
  }

  /** What the server logs. */
  private static final class Withheld extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Withheld() {
      super("answer withheld by a fault rule", null, false, false);
    }
  }
}
