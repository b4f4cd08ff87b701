package io.poolkeeper.armsim;

import org.apache.pekko.http.scaladsl.model.headers.CustomHeader;

/**
 * A header that fails when the response is rendered, so that the connection closes before its first
 * byte. The server has no other way: it answers 500 if a handler fails or returns no response.
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

  /** The failure in the server's log. */
  private static final class Withheld extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Withheld() {
      super("answer withheld by a fault rule", null, false, false);
    }
  }
}
