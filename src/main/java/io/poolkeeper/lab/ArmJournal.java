package io.poolkeeper.lab;

import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.journal.ArmLogEntry;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.scenario.Peer;
import io.poolkeeper.lab.scenario.Propagation.Put;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The requests at ARM since the controller started, from the simulator's log. */
record ArmJournal(ArmSim arm, long sinceNanos) {
  private List<ArmLogEntry> entries() {
    return all().filter(entry -> !byPeer(entry)).toList();
  }

  /** With those of the cloud provider that the lab plays. */
  private Stream<ArmLogEntry> all() {
    return arm.log().stream().filter(entry -> entry.arrivedNanos() >= sinceNanos);
  }

  private static boolean byPeer(ArmLogEntry entry) {
    return entry.path().startsWith(Peer.ROOT);
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
    return requests(Map.of()).stream().anyMatch(ArmRequest::lists);
  }

  /** When the last pool PUT arrived. */
  Optional<Long> lastPutNanos() {
    return puts().stream().map(Put::sentNanos).max(Long::compare);
  }

  Report.Arm counts() {
    List<ArmRequest> all = requests(Map.of());
    return new Report.Arm(
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

  /** PUTs that changed nothing. */
  List<String> needless() {
    List<String> wrong = new ArrayList<>();
    Map<String, Set<String>> last = new HashMap<>();
    all()
        .forEach(
            entry ->
                put(entry)
                    .ifPresent(
                        put -> {
                          String pool = put.loadBalancer() + "/" + put.pool();
                          Set<String> before = last.put(pool, put.addresses());
                          if (put.addresses().equals(before) && !byPeer(entry)) {
                            wrong.add(pool);
                          }
                        }));
    return wrong;
  }
}
