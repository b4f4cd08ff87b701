package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.BindingHistory.Version;
import io.poolkeeper.lab.judge.Bound.Refusal;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares bound pools with what their bindings ask for, and the status of each binding with its
 * pool, once nothing changes any more; and says how long bindings were held.
 *
 * @param bindings in the order in which they were created
 * @param initial the entries of all pools at the start
 * @param pools and now
 * @param mark how the names of the cluster's entries end
 * @param members the nodes that a Service asks for, by address
 */
public record BindingTruth(
    List<Bound> bindings,
    BindingHistory history,
    Map<PoolId, List<PoolMember>> initial,
    Map<PoolId, List<PoolMember>> pools,
    String mark,
    Function<Bound, Map<String, String>> members) {
  /** The controller writes a status again within this time. */
  private static final Duration SOON = Duration.ofSeconds(40);

  private static final String CHECKS = "admissionChecks";

  /** All that is wrong, a line each. */
  public List<String> differences() {
    List<String> wrong = new ArrayList<>();
    bindings.stream()
        .filter(bound -> !bound.refusedFor("ManagedByCloudProvider"))
        .map(Bound::pool)
        .distinct()
        .forEach(pool -> compare(pool, wrong));
    for (Bound bound : bindings) {
      List<String> faults =
          bound.refused().map(refusal -> notRefused(bound, refusal)).orElseGet(() -> inSync(bound));
      faults.forEach(fault -> wrong.add(bound.name() + ": " + fault));
    }
    bindings.stream()
        .filter(bound -> latest(bound).filter(Version::deleted).isPresent())
        .forEach(bound -> wrong.add(bound.name() + " is deleted, and still there"));
    return wrong;
  }

  private Optional<Version> latest(Bound bound) {
    return history.latest(bound.name());
  }

  private List<Bound> followed() {
    return bindings.stream().filter(bound -> bound.refused().isEmpty()).toList();
  }

  private List<PoolMember> entries(PoolId pool) {
    return pools.getOrDefault(pool, List.of());
  }

  private static Set<String> addresses(Stream<PoolMember> entries) {
    return entries
        .flatMap(member -> member.ip().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, String> byName(Stream<PoolMember> entries) {
    Map<String, String> byName = new TreeMap<>();
    entries.forEach(member -> byName.put(member.name(), member.ip().orElse("")));
    return byName;
  }

  /** What others have put there, and what the oldest binding asks for and is not there already. */
  private void compare(PoolId pool, List<String> wrong) {
    Map<String, String> expected =
        byName(initial.getOrDefault(pool, List.of()).stream().filter(member -> !marked(member)));
    followed().stream()
        .filter(bound -> bound.pool().equals(pool) && latest(bound).isPresent())
        .findFirst()
        .map(members)
        .orElse(Map.of())
        .forEach(
            (address, node) -> {
              if (!expected.containsValue(address)) {
                expected.put(node + mark, address);
              }
            });
    Map<String, String> held = byName(entries(pool).stream());
    if (!held.equals(expected)) {
      wrong.add("%s holds %s, expected %s".formatted(pool.name(), held, expected));
    }
  }

  /** Judges a binding by its last version before it was deleted. */
  private List<String> notRefused(Bound bound, Refusal refusal) {
    List<String> faults = new ArrayList<>();
    List<Version> versions = history.of(bound.name());
    // A status that is refused as the object has changed is tried again half a minute later.
    boolean brief = lasted(versions).filter(time -> time.compareTo(SOON) < 0).isPresent();
    versions.stream()
        .filter(version -> !version.deleted())
        .reduce((before, after) -> after)
        .filter(version -> !says(version, refusal))
        .filter(version -> !brief || !ready(version).isMissingNode())
        .ifPresent(version -> faults.add("expected %s, is %s".formatted(refusal, ready(version))));
    bound.checks().stream()
        .filter(check -> versions.stream().anyMatch(is -> state(is, check).equals("Pending")))
        .forEach(check -> faults.add(check + " is asked"));
    return faults;
  }

  /** For how long it was there until it was deleted; empty if it was not. */
  private static Optional<Duration> lasted(List<Version> versions) {
    return versions.stream()
        .filter(Version::deleted)
        .findFirst()
        .map(end -> Duration.ofNanos(end.nanos() - versions.getFirst().nanos()));
  }

  private static boolean says(Version version, Refusal refusal) {
    JsonNode ready = ready(version);
    return ready.path("status").asText().equals("False")
        && ready.path("reason").asText().equals(refusal.reason())
        && ready.path("message").asText().contains(refusal.message());
  }

  private static JsonNode ready(Version version) {
    return of(version.object().at("/status/conditions"), "type", "Ready");
  }

  private List<String> inSync(Bound bound) {
    Optional<Version> live = latest(bound).filter(version -> !version.deleted());
    if (live.isEmpty()) {
      return List.of();
    }
    JsonNode object = live.get().object();
    List<String> faults = new ArrayList<>();
    long generation = object.at("/metadata/generation").asLong();
    JsonNode status = object.path("status");
    String said = "%s of generation %d";
    for (String type : List.of("Ready", "Admitted")) {
      JsonNode condition = of(status.path("conditions"), "type", type);
      long observed = condition.path("observedGeneration").asLong();
      String found = said.formatted(condition.path("status").asText(), observed);
      expect(type, found, said.formatted("True", generation), faults);
    }
    expect("observedGeneration", status.path("observedGeneration").asLong(), generation, faults);
    expect("queued", status.path("queued").asInt(), 0, faults);
    expect("retries", status.at("/retry/count").asInt(), 0, faults);
    expect("requeueAt", status.path("requeueAt").asText("").replace("null", ""), "", faults);
    Map<String, Set<String>> addresses =
        Map.of(
            "desired", members.apply(bound).keySet(),
            "inPool", addresses(entries(bound.pool()).stream()),
            "added", addresses(entries(bound.pool()).stream().filter(this::marked)),
            "down", addresses(entries(bound.pool()).stream().filter(BindingTruth::down)));
    addresses.forEach(
        (what, of) -> expect(what, texts(status.path("addresses").path(what)), of, faults));
    if (holds(bound, live.get())) {
      faults.add("its checks are " + status.path(CHECKS));
    }
    return faults;
  }

  private boolean marked(PoolMember member) {
    return member.name().endsWith(mark);
  }

  private static boolean down(PoolMember member) {
    return member.adminState().equals(Optional.of("Down"));
  }

  private static void expect(String what, Object found, Object expected, List<String> faults) {
    if (!found.equals(expected)) {
      faults.add("%s is %s, expected %s".formatted(what, found, expected));
    }
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new TreeSet<>();
    list.forEach(element -> texts.add(element.asText()));
    return texts;
  }

  private static JsonNode of(JsonNode list, String key, String name) {
    for (JsonNode element : list) {
      if (element.path(key).asText().equals(name)) {
        return element;
      }
    }
    return list.path("none");
  }

  private static String state(Version version, String check) {
    return of(version.object().path("status").path(CHECKS), "name", check).path("state").asText();
  }

  private static boolean holds(Bound bound, Version version) {
    return !version.deleted()
        && !bound.checks().stream().allMatch(check -> state(version, check).equals("Ready"));
  }

  /** Bindings that were not gone so soon after they were deleted, whatever their checks said. */
  public List<String> lingering(Duration most) {
    List<String> wrong = new ArrayList<>();
    for (Bound bound : followed()) {
      List<Version> ends = history.of(bound.name()).stream().filter(Version::deleted).toList();
      long took = ends.isEmpty() ? 0 : ends.getLast().nanos() - ends.getFirst().nanos();
      if (took > most.toNanos()) {
        wrong.add("%s after %d ms".formatted(bound.name(), took / 1_000_000));
      }
    }
    return wrong;
  }

  /** A time in which checks did not let members be written, and which has ended. */
  private record Hold(PoolId pool, long begin, long end) {
    boolean covers(PoolWrite write) {
      return pool.equals(write.pool()) && begin <= write.sentNanos() && write.sentNanos() < end;
    }
  }

  private List<Hold> holds() {
    List<Hold> all = new ArrayList<>();
    for (Bound bound : followed()) {
      Optional<Version> began = Optional.empty();
      for (Version version : history.of(bound.name())) {
        if (holds(bound, version)) {
          began = began.or(() -> Optional.of(version));
        } else if (began.isPresent()) {
          all.add(new Hold(bound.pool(), began.get().nanos(), version.nanos()));
          began = Optional.empty();
        }
      }
    }
    return all;
  }

  public long longestHoldMillis() {
    return holds().stream().mapToLong(one -> one.end() - one.begin()).max().orElse(0) / 1_000_000;
  }

  /** Whether any entry was set Down while its pool was held. */
  public boolean drainedDuringHold(List<PoolWrite> writes) {
    List<Hold> holds = holds();
    return writes.stream()
        .filter(write -> write.statesOnly() && write.states().containsValue("Down"))
        .anyMatch(write -> holds.stream().anyMatch(hold -> hold.covers(write)));
  }

  /** How often checks of a binding were asked again as their delays were over. */
  public int resets() {
    int resets = 0;
    for (Bound bound : followed()) {
      List<Version> all = history.of(bound.name());
      for (int i = 1; i < all.size(); i++) {
        Version before = all.get(i - 1);
        Version after = all.get(i);
        boolean asked =
            bound.checks().stream()
                .anyMatch(
                    check ->
                        state(before, check).equals("Retry")
                            && state(after, check).equals("Pending"));
        resets += asked ? 1 : 0;
      }
    }
    return resets;
  }
}
