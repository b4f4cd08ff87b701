package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.DerivedGuid;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * A token in the form of Azure's, unsigned: {@code alg} is {@code none} and the signature is empty
 * (RFC 7519, section 6), so that it is not mistaken for a real one.
 *
 * @param audience the resource it is valid for
 * @param client the application it was issued to
 */
record AccessToken(
    String origin,
    String tenant,
    String audience,
    String client,
    boolean v2,
    Instant from,
    Duration lifetime) {

  /** The issuer of the tokens of a tenant, for version 1 or 2 of the protocol. */
  static String issuer(String origin, String tenant, boolean v2) {
    return origin + "/" + tenant + (v2 ? "/v2.0" : "/");
  }

  Instant expiry() {
    return from.plus(lifetime);
  }

  String text() {
    ObjectNode header = ArmJson.MAPPER.createObjectNode();
    header.put("typ", "JWT").put("alg", "none");
    return encode(header) + "." + encode(claims()) + ".";
  }

  /** Adds the expiry as in the older protocols: seconds as text. */
  void putLifetime(ObjectNode node) {
    String seconds = Long.toString(lifetime.toSeconds());
    node.put("expires_in", seconds).put("ext_expires_in", seconds);
    node.put("expires_on", Long.toString(expiry().getEpochSecond()));
    node.put("not_before", Long.toString(from.getEpochSecond()));
    node.put("resource", audience);
  }

  private ObjectNode claims() {
    ObjectNode claims = ArmJson.MAPPER.createObjectNode();
    claims.put("aud", audience).put("iss", issuer(origin, tenant, v2));
    claims.put("iat", from.getEpochSecond()).put("nbf", from.getEpochSecond());
    claims.put("exp", expiry().getEpochSecond());
    claims.put(v2 ? "azp" : "appid", client).put("idtyp", "app");
    String object = DerivedGuid.of(tenant + "/" + client).toString();
    claims.put("oid", object).put("sub", object).put("tid", tenant);
    return claims.put("ver", v2 ? "2.0" : "1.0");
  }

  private static String encode(ObjectNode node) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(ArmJson.bytes(out -> out.writeTree(node)));
  }

  /** Never the token. */
  @Override
  public String toString() {
    return "token for " + client;
  }
}
