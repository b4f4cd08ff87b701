package io.poolkeeper.pool;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.PermitAnswer;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.ratelimit.Requester;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * The words that the tests of this room speak. An entry is written {@code name=address/State}, or
 * {@code n4} for a node of 10.0.0.4; of an address in 10.0.0.0/24 the last number is enough, and
 * any other name alone has none.
 */
public final class PoolFixtures {
  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  static final Duration INTERVAL = Duration.ofSeconds(30);
  static final Duration MIN_INTERVAL = Duration.ofSeconds(2);
  static final Duration VERIFY = Duration.ofSeconds(35);
  static final Duration RESYNC = Duration.ofMinutes(10);
  static final Duration WINDOW = Duration.ofMillis(100);
  private static final Backoff DRAIN =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), Jitter.EQUAL);
  static final PoolLimits LIMITS = limits(MIN_INTERVAL, true, 3);

  static final PoolEffect LOOK = new PoolEffect.Report(PoolReport.VERIFICATION_WANTED);
  static final PoolId POOL = new LoadBalancerId("sub", "rg", "lb-1").pool("default-web");
  static final ServiceKey WEB = new ServiceKey("default", "web");
  static final ServiceKey API = new ServiceKey("default", "api");

  /** What a binding makes of the pool whose checks are not all Ready, and what once they are. */
  static final PoolEvent HELD = bound(Optional.of("a check is pending"));

  static final PoolEvent ADMITTED = bound(Optional.empty());
  static final PoolEvent STOP = new PoolEvent.Stop();

  static final Requester AS = new Requester(POOL, 1);
  static final Ownership WEB_1 = web(1);
  static final Ownership API_2 = owns(API, "uid-api", 2, "aapi");
  static final Set<String> RULES = Set.of("aweb-TCP-80", "aapi-TCP-80");
  static final ArmFailure FORBIDDEN = failure(403, "AuthorizationFailed");
  static final ArmFailure RESET = new ArmFailure(ArmFailure.Kind.TRANSPORT, 0, "", "reset");
  static final ArmFailure CONFLICT = failure(412, "PreconditionFailed");
  static final ArmFailure NOT_FOUND = failure(404, "ResourceNotFound");

  private static final Pattern ENTRY = Pattern.compile("([^=/]*)(?:=([^/]*))?(?:/(\\w+))?");
  private static final Pattern NODE = Pattern.compile("\\p{Alpha}(\\d{1,3})");

  /** Draws the same number always. */
  record Drawing(double number) implements RandomGenerator {
    @Override
    public long nextLong() {
      return (long) (number * Long.MAX_VALUE);
    }

    @Override
    public double nextDouble() {
      return number;
    }
  }

  private PoolFixtures() {}

  static PoolLimits limits(Duration minInterval, boolean leadingEdge, int maxRetries) {
    return limits(INTERVAL, minInterval, leadingEdge, WINDOW, VERIFY, RESYNC, maxRetries);
  }

  /** With the shipped limits of a drain, and without a brake. */
  public static PoolLimits limits(
      Duration interval,
      Duration least,
      boolean leadingEdge,
      Duration window,
      Duration verify,
      Duration resync,
      int maxRetries) {
    return new PoolLimits(
        interval, least, leadingEdge, window, verify, resync, maxRetries, DRAIN, Brake.OFF, false);
  }

  public static PoolLimits limits(Brake brake, boolean shadow) {
    return new PoolLimits(
        INTERVAL, MIN_INTERVAL, true, WINDOW, VERIFY, RESYNC, 3, DRAIN, brake, shadow);
  }

  /** With the shipped limits, but for the jitter. */
  static PoolLimits limits(Jitter jitter) {
    Backoff drain = DRAIN.with(jitter);
    return new PoolLimits(
        INTERVAL, MIN_INTERVAL, true, WINDOW, VERIFY, RESYNC, 3, drain, Brake.OFF, false);
  }

  /** A 429 that asks to wait until then. */
  static ArmFailure throttled(Instant until) {
    return ArmFailure.throttled("SubscriptionRequestsThrottled", "slow down", until);
  }

  /** Nothing is known yet of what the Service wants. */
  static Ownership owns(ServiceKey service, String uid, long number, String rulePrefix) {
    return new Ownership(service, uid, number, Optional.of(rulePrefix), new Level.Unknown());
  }

  static Ownership web(long number) {
    return owns(WEB, "uid-web", number, "aweb");
  }

  static ArmFailure failure(int status, String code) {
    return new ArmFailure(ArmFailure.Kind.RESPONSE, status, code, "no");
  }

  static NavigableMap<Address, NodeKey> members(String entries) {
    NavigableMap<Address, NodeKey> all = new TreeMap<>();
    entries(entries).forEach(one -> all.put(one.address().orElseThrow(), new NodeKey(one.name())));
    return all;
  }

  static Level exactly(String entries) {
    return new Level.Exactly(members(entries), Optional.empty());
  }

  static Level unknown() {
    return new Level.Unknown();
  }

  static PoolEntry entry(String text) {
    Matcher entry = ENTRY.matcher(text);
    Matcher node = NODE.matcher(text);
    if (!entry.matches()) {
      throw new IllegalArgumentException(text);
    }
    String name = entry.group(1);
    String own = node.reset(name).matches() ? node.group(1) : null;
    String address = entry.group(2) == null ? own : entry.group(2);
    return new PoolEntry(
        name,
        Optional.ofNullable(address).map(PoolFixtures::address),
        Optional.empty(),
        AdminState.of(Optional.ofNullable(entry.group(3))));
  }

  private static Address address(String text) {
    return Address.of(text.length() < 4 ? "10.0.0." + text : text);
  }

  /** These nodes are out of service since {@link #T0}; nodes are n4 to n6. */
  static OutOfService leaving(long version, String nodes) {
    NavigableMap<NodeKey, Leaving> out = new TreeMap<>();
    words(nodes)
        .forEach(
            node ->
                out.put(
                    new NodeKey(node),
                    new Leaving("uid-" + node, Set.of(Reason.OUT_OF_SERVICE), T0)));
    return leaving(version, out, 0);
  }

  static OutOfService leaving(long version, NavigableMap<NodeKey, Leaving> out, int minActive) {
    Map<Address, NodeKey> all = new HashMap<>();
    IntStream.rangeClosed(4, 6)
        .forEach(n -> all.put(address(Integer.toString(n)), new NodeKey("n" + n)));
    return new OutOfService(
        version, new ClusterNodes(all, Map.of(), Map.of()), out, true, minActive);
  }

  static PoolView pool(String entries) {
    return view(entries, RULES, false, true);
  }

  static PoolView updating(String entries) {
    return view(entries, RULES, true, true);
  }

  static PoolView withoutNetwork(String entries) {
    return view(entries, RULES, false, false);
  }

  static PoolView withRules(Set<String> rules, String entries) {
    return view(entries, rules, false, true);
  }

  private static PoolView view(
      String entries, Set<String> rules, boolean updating, boolean networked) {
    return new PoolView(POOL, "etag", updating, entries(entries), rules, networked);
  }

  private static List<PoolEntry> entries(String text) {
    return words(text).map(PoolFixtures::entry).toList();
  }

  static Stream<String> words(String text) {
    return Stream.of(text.split(" ", -1)).filter(word -> !word.isEmpty());
  }

  /** An edit: {@code -4} removes an address, {@code +n5} adds an entry, {@code n5/Down} sets it. */
  static PoolEdit edit(String text) {
    Set<Address> remove =
        words(text)
            .filter(word -> word.startsWith("-"))
            .map(word -> address(word.substring(1)))
            .collect(Collectors.toSet());
    Map<Address, String> add = new HashMap<>();
    SortedMap<String, AdminState> states = new TreeMap<>();
    words(text)
        .filter(word -> !word.startsWith("-"))
        .forEach(
            word -> {
              PoolEntry entry = entry(word.startsWith("+") ? word.substring(1) : word);
              if (word.startsWith("+")) {
                add.put(entry.address().orElseThrow(), entry.name());
              } else {
                states.put(entry.name(), entry.adminState());
              }
            });
    return PoolEdit.of(remove, add).with(states);
  }

  /** The same as text; the mark, if it has one, is the last word. */
  static String text(PoolEdit edit) {
    Stream<String> remove = new TreeSet<>(edit.remove()).stream().map(one -> "-" + text(one));
    Stream<String> add =
        edit.add().entrySet().stream().map(one -> "+" + text(one.getValue(), one.getKey()));
    Stream<String> states =
        edit.adminStates().entrySet().stream()
            .map(one -> one.getKey() + "/" + one.getValue().text());
    Stream<String> mark = edit.mark().stream().map(of -> "marked" + of.suffix());
    return Stream.of(remove, add, states, mark)
        .flatMap(words -> words)
        .collect(Collectors.joining(" "));
  }

  private static String text(String name, Address address) {
    boolean own = entry(name).address().filter(address::equals).isPresent();
    return own ? name : name + "=" + text(address);
  }

  private static String text(Address address) {
    String text = address.text();
    return text.startsWith("10.0.0.") ? text.substring("10.0.0.".length()) : text;
  }

  /** A GET that shows nothing but the view. */
  static PoolEvent.ReadDone read(PoolView view) {
    return new PoolEvent.ReadDone(new InMemoryArm.Document(view));
  }

  static PoolEvent.Desire desire(Ownership ownership, String members) {
    return desire(ownership, exactly(members));
  }

  static PoolEvent.Desire desire(Ownership ownership, Level level) {
    return new PoolEvent.Desire(ownership.wanting(level), false);
  }

  /** An actor of {@link #POOL} whose jitter is in the middle and whose reports go nowhere. */
  static Behavior<CoreActor.Command<PoolEvent>> actor(
      BackendPools arm,
      ActorRef<CoreActor.Command<RateLimiterEvent>> rateLimiter,
      InstantSource clock) {
    PoolActor.Deps deps =
        new PoolActor.Deps(
            arm,
            rateLimiter,
            event -> {},
            new SilentObserver(),
            (pool, report) -> {},
            clock,
            () -> new Drawing(0.5),
            LIMITS);
    return PoolActor.create(AS, deps, report -> {});
  }

  /** A permit without an end in sight. */
  static PoolEvent granted(long permit) {
    return new PoolEvent.PermitAnswered(new PermitAnswer.Granted(permit, Instant.MAX, false));
  }

  static PoolEvent recalled(long permit, Instant now) {
    return new PoolEvent.PermitAnswered(new PermitAnswer.Recalled(permit, now));
  }

  /** Every entry is the binding's. */
  private static PoolEvent bound(Optional<String> held) {
    return new PoolEvent.Bind(
        Optional.of(BoundPool.of(POOL, new Mark(""), WEB, IpFamily.IPV4, held)));
  }

  /** The nodes of a cluster in which one is not yet known. */
  static KnownNodes known(Map<Address, NodeKey> nodes) {
    KnownNodes known = KnownNodes.NONE;
    for (Map.Entry<Address, NodeKey> of : nodes.entrySet()) {
      known =
          known.with(
              new NodeView(of.getValue(), "", List.of(of.getKey()), Map.of(), Set.of(), false));
    }
    return known;
  }
}
