package io.poolkeeper.lab;

import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.judge.PoolWrite;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The requests at ARM since the controller started, from the simulator's log.
 *
 * @param initial the entries of all pools when the log began
 * @param rules the faults that ARM was given, by id
 */
record ArmJournal(
    ArmSim arm,
    Map<PoolId, List<PoolMember>> initial,
    Map<Long, FaultRule> rules,
    long sinceNanos) {
  private List<ArmLogEntry> entries() {
    return arm.log().stream()
        .filter(entry -> entry.arrivedNanos() >= sinceNanos)
        .filter(entry -> !byPeer(entry.path()))
        .toList();
  }

  private static boolean byPeer(String path) {
    return path.startsWith(Peer.ROOT);
  }

  List<ArmRequest> requests() {
    return requests(Set.of());
  }

  private List<ArmRequest> requests(Set<Long> without) {
    Set<Long> canceled = canceled();
    return entries().stream()
        .filter(entry -> !without.contains(entry.number()))
        .flatMap(entry -> ArmRequest.of(entry, rules, canceled.contains(entry.number())).stream())
        .sorted(Comparator.comparingLong(ArmRequest::arrivedNanos))
        .toList();
  }

  /** The accepted writes whose operation another write cancelled. */
  private Set<Long> canceled() {
    Map<LoadBalancerId, Long> last = new HashMap<>();
    Set<Long> canceled = new HashSet<>();
    for (ArmLogEntry entry : arm.log()) {
      if (entry.acceptedNanos().isPresent() && entry.loadBalancer().isPresent()) {
        Long before = last.put(entry.loadBalancer().get(), entry.number());
        if (entry.superseding() && before != null) {
          canceled.add(before);
        }
      }
    }
    return canceled;
  }

  List<String> cancelling() {
    return entries().stream()
        .filter(ArmLogEntry::superseding)
        .map(entry -> "%s at %d".formatted(entry.path(), entry.number()))
        .toList();
  }

  /**
   * The same without accepted writes of admin states alone, which neither wait nor are reported.
   */
  List<ArmRequest> requestsOfMembers() {
    Set<Long> others =
        writes().stream()
            .filter(PoolWrite::statesOnly)
            .map(PoolWrite::number)
            .collect(Collectors.toSet());
    return requests(others);
  }

  /** The controller's pool PUTs that were accepted, in order. */
  List<PoolWrite> writes() {
    return PoolWrite.all(arm.log(), initial).stream()
        .filter(write -> write.sentNanos() >= sinceNanos && !byPeer(write.path()))
        .toList();
  }

  /** Whether load balancers were listed; used before the judge lists them. */
  boolean listed() {
    return requests().stream().anyMatch(ArmRequest::lists);
  }

  /** Since when the controller knows what others have written; that time if it does not yet. */
  long shownNanos(long now) {
    OptionalLong other =
        arm.log().stream()
            .filter(entry -> byPeer(entry.path()))
            .flatMapToLong(entry -> entry.acceptedNanos().stream())
            .max();
    if (other.isEmpty()) {
      return sinceNanos;
    }
    return requests().stream()
        .filter(found -> found.lists() && found.status() == 200)
        .mapToLong(ArmRequest::arrivedNanos)
        .filter(at -> at > other.getAsLong())
        .min()
        .orElse(now);
  }

  Optional<Long> lastPutNanos() {
    return writes().stream().map(PoolWrite::sentNanos).max(Long::compare);
  }

  LabReport.Arm counts() {
    List<ArmRequest> all = requests();
    return new LabReport.Arm(
        count(all, ArmRequest::readsPool, 200),
        count(all, ArmRequest::writesPool, 200) + count(all, ArmRequest::writesPool, 201),
        count(all, ArmRequest::lists, 200),
        count(all, ArmRequest::writesPool, 429),
        count(all, ArmRequest::writesPool, 412),
        count(all, ArmRequest::writesPool, 409),
        arm.maxInFlightPerLoadBalancer());
  }

  private static int count(List<ArmRequest> all, Predicate<ArmRequest> which, int status) {
    return (int) all.stream().filter(which).filter(found -> found.status() == status).count();
  }
}
