package io.poolkeeper.doctor;

import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.status.CauseText;
import java.util.List;
import java.util.Optional;

/**
 * What this process knows besides what an examination looks up.
 *
 * @param refusal ARM's last message that a deny assignment refused a call; empty if there was none
 * @param withoutPool which Services have no pool, in words; empty if this process does not lead
 */
public record Known(
    CallsLeft quota, Optional<String> refusal, Optional<List<CauseText>> withoutPool) {
  /** Of a process that does not lead. */
  public Known(CallsLeft quota, Optional<String> refusal) {
    this(quota, refusal, Optional.empty());
  }
}
