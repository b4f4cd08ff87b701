package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.Handled.PoolWrite;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request in the log.
 *
 * @param number counts up from 1 without gaps, also through resets; assigned by the {@link Journal}
 * @param arrivedNanos monotonic, when the request's head had come
 * @param acceptedNanos monotonic, when the document changed (or a no-op was accepted); present for
 *     accepted writes only
 * @param code of the error; empty for a success
 * @param by what influenced the answer besides the model
 * @param superseding whether it cancelled an operation that ran on the load balancer
 * @param write the entries that an accepted pool PUT carried
 * @param etag of the load balancer concerned, after it was handled
 */
public record ArmLogEntry(
    long number,
    long arrivedNanos,
    OptionalLong acceptedNanos,
    String method,
    String path,
    int status,
    String code,
    By by,
    boolean superseding,
    Optional<LoadBalancerId> loadBalancer,
    Optional<PoolWrite> write,
    Optional<String> etag) {

  /**
   * What influenced an answer.
   *
   * @param injected whether a fault rule answered instead of the model
   * @param rule the fault rule that applied
   * @param throttle the throttle that refused, {@code arm} or {@code network}
   */
  public record By(boolean injected, Optional<Long> rule, Optional<String> throttle) {
    public static final By MODEL = new By(false, Optional.empty(), Optional.empty());
  }

  public ObjectNode json() {
    ObjectNode json = ArmJson.MAPPER.createObjectNode();
    json.put("number", number).put("arrivedNanos", arrivedNanos);
    acceptedNanos.ifPresent(nanos -> json.put("acceptedNanos", nanos));
    json.put("method", method).put("path", path).put("status", status);
    if (!code.isEmpty()) {
      json.put("code", code);
    }
    if (by.injected()) {
      json.put("injected", true);
    }
    by.rule().ifPresent(rule -> json.put("rule", rule));
    by.throttle().ifPresent(throttle -> json.put("throttle", throttle));
    if (superseding) {
      json.put("superseding", true);
    }
    loadBalancer.ifPresent(id -> json.put("loadBalancer", id.name()));
    etag.ifPresent(current -> json.put("etag", current));
    write.ifPresent(
        pool -> {
          ArrayNode addresses = json.put("pool", pool.pool().name()).putArray("addresses");
          for (PoolMember member : pool.members()) {
            ObjectNode address = addresses.addObject().put("name", member.name());
            member.ip().ifPresent(ip -> address.put("ip", ip));
            member.adminState().ifPresent(state -> address.put("adminState", state));
          }
        });
    return json;
  }
}
