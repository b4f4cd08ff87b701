package io.poolkeeper.lab.judge;

import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Optional;

/**
 * A binding that a scenario has created.
 *
 * @param name no other namespace has it, either
 * @param refused the reason for which it must be refused at the end, and a text that says why
 */
public record Bound(
    String namespace,
    String name,
    String service,
    PoolId pool,
    List<String> checks,
    Optional<Refusal> refused) {
  public Bound {
    checks = List.copyOf(checks);
  }

  boolean refusedFor(String reason) {
    return refused.map(Refusal::reason).equals(Optional.of(reason));
  }

  public record Refusal(String reason, String message) {}
}
