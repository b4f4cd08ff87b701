package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.ArmLogEntry.By;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Builds a log of the simulator; times in milliseconds. */
final class Requests {
  private static final String LISTS =
      "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers";

  private final List<ArmLogEntry> entries = new ArrayList<>();
  private final Map<Long, FaultRule> rules = new HashMap<>();
  private final Set<Long> canceled = new HashSet<>();

  /** The pool that is called {@code lb/pool} here. */
  static PoolId pool(String name) {
    int slash = name.indexOf('/');
    return new LoadBalancerId("s", "rg", name.substring(0, slash)).pool(name.substring(slash + 1));
  }

  /** A request to {@code lb/pool}, or to no pool. */
  Requests add(long at, String method, String pool, int status, String code) {
    return add(at, method, pool, status, code, Optional.empty());
  }

  /** A request with the fault rule that applied to it. */
  Requests ruled(long at, String method, String pool, int status, String code, String rule) {
    long id = rules.size() + 1L;
    rules.put(id, parse(rule));
    return add(at, method, pool, status, code, Optional.of(id));
  }

  /** A write that ARM accepted, and another client's write cancelled. */
  Requests canceled(long at, String pool) {
    canceled.add(entries.size() + 1L);
    return add(at, "PUT", pool, 200, "");
  }

  private Requests add(
      long at, String method, String pool, int status, String code, Optional<Long> rule) {
    String path = pool.isEmpty() ? LISTS : pool(pool).path();
    entries.add(
        new ArmLogEntry(
            entries.size() + 1L,
            at * 1_000_000,
            OptionalLong.empty(),
            method,
            path,
            status,
            code,
            new By(rule.isPresent(), rule, Optional.empty()),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    return this;
  }

  private static FaultRule parse(String rule) {
    try {
      return FaultRule.parse(new ObjectMapper().readTree(rule));
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(rule, wrong);
    }
  }

  List<ArmRequest> list() {
    return entries.stream()
        .flatMap(entry -> ArmRequest.of(entry, rules, canceled.contains(entry.number())).stream())
        .toList();
  }
}
