package io.poolkeeper.lab;

import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.journal.ArmLogEntry;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.scenario.Propagation.Put;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The requests at ARM since the controller started, from the simulator's log. */
final class ArmJournal {
  private static final Pattern POOL = Pattern.compile("(?i).*/backendAddressPools/[^/?]+(\\?.*)?");
  private static final Pattern LISTING = Pattern.compile("(?i).*/loadBalancers/?(\\?.*)?");

  private final ArmSim arm;
  private final long sinceNanos;

  ArmJournal(ArmSim arm, long sinceNanos) {
    this.arm = arm;
    this.sinceNanos = sinceNanos;
  }

  private List<ArmLogEntry> entries() {
    return arm.log().stream().filter(entry -> entry.arrivedNanos() >= sinceNanos).toList();
  }

  /**
   * The requests of the controller.
   *
   * @param rules fault rules by id
   */
  List<ArmRequest> requests(Map<Long, FaultRule> rules) {
    return entries().stream().flatMap(entry -> ArmRequest.of(entry, rules).stream()).toList();
  }

  /** The pool PUTs that were accepted, in order. */
  List<Put> puts() {
    return entries().stream().flatMap(entry -> put(entry).stream()).toList();
  }

  private static Optional<Put> put(ArmLogEntry entry) {
    return entry
        .write()
        .filter(write -> entry.acceptedNanos().isPresent())
        .map(
            write ->
                new Put(
                    write.pool().loadBalancer().name(),
                    write.pool().name(),
                    entry.arrivedNanos(),
                    entry.acceptedNanos().getAsLong(),
                    addresses(write.members())));
  }

  private static Set<String> addresses(List<PoolMember> members) {
    return members.stream().flatMap(member -> member.ip().stream()).collect(Collectors.toSet());
  }

  /** Whether load balancers were listed; used before the judge lists them. */
  boolean listed() {
    return entries().stream().anyMatch(entry -> LISTING.matcher(entry.path()).matches());
  }

  /** When the last pool PUT arrived. */
  Optional<Long> lastPutNanos() {
    return puts().stream().map(Put::sentNanos).max(Long::compare);
  }

  Report.Arm counts() {
    List<ArmLogEntry> all = entries();
    return new Report.Arm(
        count(all, "GET", 200, POOL),
        count(all, "PUT", 200, POOL) + count(all, "PUT", 201, POOL),
        count(all, "GET", 200, LISTING),
        count(all, "PUT", 429, POOL),
        count(all, "PUT", 412, POOL),
        count(all, "PUT", 409, POOL),
        arm.maxInFlightPerLoadBalancer());
  }

  private static int count(List<ArmLogEntry> all, String method, int status, Pattern path) {
    return (int)
        all.stream()
            .filter(entry -> entry.method().equals(method) && entry.status() == status)
            .filter(entry -> path.matcher(entry.path()).matches())
            .count();
  }

  /** Pools that were written twice within less than an interval, by the arrival of the PUTs. */
  List<String> tooSoon(Duration interval) {
    List<String> wrong = new ArrayList<>();
    Map<String, Long> last = new HashMap<>();
    for (Put put : puts()) {
      String pool = put.loadBalancer() + "/" + put.pool();
      Long before = last.put(pool, put.sentNanos());
      if (before != null && put.sentNanos() - before < interval.toNanos() - SKEW.toNanos()) {
        wrong.add("%s twice within %d ms".formatted(pool, (put.sentNanos() - before) / 1_000_000));
      }
    }
    return wrong;
  }

  /** PUTs that changed nothing. */
  List<String> needless() {
    List<String> wrong = new ArrayList<>();
    Map<String, Set<String>> last = new HashMap<>();
    for (Put put : puts()) {
      String pool = put.loadBalancer() + "/" + put.pool();
      if (put.addresses().equals(last.put(pool, put.addresses()))) {
        wrong.add(pool);
      }
    }
    return wrong;
  }

  /** Tolerance: the controller spaces its sends, and two may arrive a little closer. */
  private static final Duration SKEW = Duration.ofMillis(50);
}
