package io.poolkeeper.simulation;

import io.poolkeeper.config.Settings;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What the checker knows of one life of the process. */
final class LifeBooks {
  final Set<Kind> synced = EnumSet.noneOf(Kind.class);
  final WriteBucket bucket;
  final GateBook gates;
  final CallBook calls = new CallBook();
  final TurnBook turns = new TurnBook();
  boolean listed;

  /** Before which the turnstile knows that ARM takes no calls: of all, or of a load balancer. */
  private final Map<String, Instant> turnsFrom = new HashMap<>();

  LifeBooks(Settings.Turnstile settings, Instant now) {
    this.bucket = new WriteBucket(settings, now);
    this.gates = new GateBook(settings.maxRetryAfter());
  }

  /** Whether anything may be written. */
  boolean ready() {
    return listed && synced.size() == Kind.values().length;
  }

  void throttled(String whose, Instant until) {
    turnsFrom.merge(whose, until, (old, fresh) -> old.isAfter(fresh) ? old : fresh);
  }

  Instant turnsFrom(String whose) {
    return turnsFrom.getOrDefault(whose, Instant.MIN);
  }
}
