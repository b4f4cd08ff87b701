package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** When a token ends, as the older protocols say it: seconds as text. */
final class Lifetimes {
  private Lifetimes() {}

  static void put(ObjectNode node, AccessToken token, String resource) {
    String seconds = Long.toString(token.lifetime().toSeconds());
    node.put("expires_in", seconds).put("ext_expires_in", seconds);
    node.put("expires_on", Long.toString(token.expiry().getEpochSecond()));
    node.put("not_before", Long.toString(token.from().getEpochSecond()));
    node.put("resource", resource);
  }
}
