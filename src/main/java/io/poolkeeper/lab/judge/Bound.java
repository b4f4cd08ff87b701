package io.poolkeeper.lab.judge;

import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Optional;

/**
 * A binding that a scenario has created.
 *
 * @param refused the reason for which it must be refused at the end, and a text that says why
 */
public record Bound(
    String name,
    String service,
    PoolId pool,
    boolean exclusive,
    List<String> checks,
    Optional<Refusal> refused) {
  public Bound {
    checks = List.copyOf(checks);
  }

  /** Why it is not followed. */
  public record Refusal(String reason, String message) {}
}
