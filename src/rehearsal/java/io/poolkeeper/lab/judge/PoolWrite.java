package io.poolkeeper.lab.judge;

import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A PUT of a pool that ARM accepted, and what it changed: against the write before it, of any
 * client, or the entries at the start.
 *
 * @param number of its line in the log
 * @param path as the client wrote it
 * @param sentNanos when it arrived at ARM
 * @param addresses that it left in the pool
 * @param members whether it changed the members
 * @param removed the names of the entries that it removed
 * @param states the admin states that it changed, of entries that were there before: by address, or
 *     by name for a NIC
 */
public record PoolWrite(
    long number,
    String path,
    PoolId pool,
    long sentNanos,
    long acceptedNanos,
    Set<String> addresses,
    boolean members,
    Set<String> removed,
    Map<String, String> states) {
  private static final String NONE = "None";

  public PoolWrite {
    addresses = Set.copyOf(addresses);
    removed = Set.copyOf(removed);
    states = Map.copyOf(states);
  }

  /** All of them, in order; {@code initial} are the entries at the start. */
  public static List<PoolWrite> all(List<ArmLogEntry> log, Map<PoolId, List<PoolMember>> initial) {
    Map<PoolId, List<PoolMember>> pools = new HashMap<>(initial);
    List<PoolWrite> writes = new ArrayList<>();
    for (ArmLogEntry entry : log) {
      if (entry.write().isPresent() && entry.acceptedNanos().isPresent()) {
        PoolId pool = entry.write().get().pool();
        List<PoolMember> after = entry.write().get().members();
        List<PoolMember> before = pools.put(pool, after);
        writes.add(of(entry, pool, before == null ? List.of() : before, after));
      }
    }
    return writes;
  }

  private static PoolWrite of(
      ArmLogEntry entry, PoolId pool, List<PoolMember> before, List<PoolMember> after) {
    Map<String, String> old = states(before);
    Map<String, String> changed = new TreeMap<>(states(after));
    changed
        .entrySet()
        .removeIf(now -> now.getValue().equals(old.getOrDefault(now.getKey(), now.getValue())));
    return new PoolWrite(
        entry.number(),
        entry.path(),
        pool,
        entry.arrivedNanos(),
        entry.acceptedNanos().orElseThrow(),
        after.stream().flatMap(member -> member.ip().stream()).collect(Collectors.toSet()),
        !old.keySet().equals(states(after).keySet()),
        removed(before, after),
        changed);
  }

  private static Set<String> removed(List<PoolMember> before, List<PoolMember> after) {
    Set<String> names = before.stream().map(PoolMember::name).collect(Collectors.toSet());
    after.forEach(member -> names.remove(member.name()));
    return names;
  }

  private static Map<String, String> states(List<PoolMember> members) {
    Map<String, String> states = new TreeMap<>();
    members.forEach(
        member -> states.put(member.ip().orElse(member.name()), member.adminState().orElse(NONE)));
    return states;
  }

  public boolean needless() {
    return !members && states.isEmpty();
  }

  public boolean statesOnly() {
    return !members && !states.isEmpty();
  }
}
