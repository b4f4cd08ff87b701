package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The expiry of a token in the older protocols: seconds as text. */
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
