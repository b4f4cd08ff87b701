package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.Refused;
import java.util.Optional;

/** The check of {@code If-Match} against the one etag that a load balancer has at that moment. */
final class Precondition {
  private Precondition() {}

  /** Refuses a call with another etag than the stored one; {@code *} matches any. */
  static void check(ArmCall call, Optional<LoadBalancer> stored) {
    Optional<String> wanted = call.ifMatch();
    if (wanted.isEmpty()) {
      return;
    }
    LoadBalancer balancer =
        stored.orElseThrow(() -> new Refused(ArmAnswer.nothingToMatch(wanted.get())));
    if (!wanted.get().equals("*") && !wanted.get().equals(balancer.etag())) {
      throw new Refused(
          ArmAnswer.etagMismatch(wanted.get(), balancer.etag(), balancer.id().path()));
    }
  }
}
