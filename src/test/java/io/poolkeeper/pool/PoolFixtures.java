package io.poolkeeper.pool;

import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import io.poolkeeper.turnstile.Share;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * The words that the tests of this room speak. Members and entries are written {@code
 * "name=address"}; an entry without an address is written {@code "name"}, and one that is Down
 * {@code "name=address Down"}.
 */
final class PoolFixtures {
  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  static final Duration INTERVAL = Duration.ofSeconds(30);
  static final Duration MIN_INTERVAL = Duration.ofSeconds(2);
  static final Duration VERIFY = Duration.ofSeconds(35);
  static final Duration RESYNC = Duration.ofMinutes(10);
  static final Duration WINDOW = Duration.ofMillis(100);

  static final PoolEffect DIRTY = new PoolEffect.Report(PoolReport.Sign.FAILING);
  static final PoolEffect CLEAN = new PoolEffect.Report(PoolReport.Sign.RECOVERED);

  /** The GET of a turn that has all the time. */
  static final PoolEffect READ = new PoolEffect.Read(Instant.MAX);

  static final PoolLimits LIMITS =
      new PoolLimits(INTERVAL, MIN_INTERVAL, true, WINDOW, VERIFY, RESYNC, 3);
  static final PoolId POOL = new LoadBalancerId("sub", "rg", "lb-1").pool("default-web");
  static final ServiceKey WEB = new ServiceKey("default", "web");

  /** Every entry is the binding's. */
  static final Mark ALL = new Mark("");

  /** What a binding makes of the pool whose checks are not all Ready, and what once they are. */
  static final PoolEvent HELD = bound(Optional.of("a check is pending"));

  static final PoolEvent ADMITTED = bound(Optional.empty());

  static final ServiceKey API = new ServiceKey("default", "api");
  static final Assignment WEB_1 = web(1);
  static final Assignment API_2 = api(2);
  static final Set<String> RULES = Set.of("aweb-TCP-80", "aapi-TCP-80");
  static final ArmFailure FORBIDDEN = failure(403, "AuthorizationFailed");
  static final ArmFailure RESET = new ArmFailure(ArmFailure.Kind.TRANSPORT, 0, "", "reset");
  static final ArmFailure CONFLICT = failure(412, "PreconditionFailed");
  static final ArmFailure NOT_FOUND = failure(404, "ResourceNotFound");

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

  /** A 429 that asks to wait until then. */
  static ArmFailure throttled(Instant until) {
    return ArmFailure.throttled("SubscriptionRequestsThrottled", "slow down", until);
  }

  static Assignment web(long number) {
    return new Assignment(WEB, "uid-web", number, "aweb");
  }

  static Assignment api(long number) {
    return new Assignment(API, "uid-api", number, "aapi");
  }

  static ArmFailure failure(int status, String code) {
    return new ArmFailure(ArmFailure.Kind.RESPONSE, status, code, "no");
  }

  static NavigableMap<Address, NodeKey> members(String... members) {
    TreeMap<Address, NodeKey> all = new TreeMap<>();
    for (String member : members) {
      all.put(entry(member).address().orElseThrow(), new NodeKey(entry(member).name()));
    }
    return all;
  }

  static Level exactly(String... members) {
    return new Level.Exactly(members(members), Optional.empty());
  }

  static Level unknown() {
    return new Level.Unknown();
  }

  static PoolEntry entry(String text) {
    String[] words = text.split(" ", 2);
    String[] member = words[0].split("=", 2);
    return new PoolEntry(
        member[0],
        Arrays.stream(member).skip(1).findFirst().map(Address::of),
        Optional.empty(),
        AdminState.of(Arrays.stream(words).skip(1).findFirst()));
  }

  /** These nodes are out of service; all whose names end in a number have that address. */
  static OutOfService leaving(long version, String... nodes) {
    Map<Address, NodeKey> all = new HashMap<>();
    IntStream.rangeClosed(4, 6)
        .forEach(n -> all.put(Address.of("10.0.0." + n), new NodeKey("n" + n)));
    NavigableMap<NodeKey, Leaving> out = new TreeMap<>();
    for (String node : nodes) {
      out.put(new NodeKey(node), new Leaving("uid-" + node, Set.of(Reason.OUT_OF_SERVICE), T0));
    }
    return new OutOfService(version, new ClusterNodes(all, Map.of(), Map.of()), out, true, 0);
  }

  static PoolView pool(String... entries) {
    return new PoolView(POOL, "etag", false, entries(entries), RULES, true);
  }

  static PoolView updating(String... entries) {
    return new PoolView(POOL, "etag", true, entries(entries), RULES, true);
  }

  static PoolView withoutNetwork(String... entries) {
    return new PoolView(POOL, "etag", false, entries(entries), RULES, false);
  }

  static PoolView withRules(Set<String> rules, String... entries) {
    return new PoolView(POOL, "etag", false, entries(entries), rules, true);
  }

  private static List<PoolEntry> entries(String... entries) {
    return Arrays.stream(entries).map(PoolFixtures::entry).toList();
  }

  static Set<Address> addresses(String... addresses) {
    return Stream.of(addresses).map(Address::of).collect(Collectors.toSet());
  }

  /**
   * An edit: {@code "-10.0.0.4"} removes an entry, {@code "+n5=10.0.0.5"} adds one, and {@code "n5
   * Down"} sets its admin state.
   */
  static PoolEdit edit(String... changes) {
    Set<Address> remove =
        Stream.of(changes)
            .filter(change -> change.startsWith("-"))
            .map(change -> Address.of(change.substring(1)))
            .collect(Collectors.toSet());
    Map<Address, String> add = new HashMap<>();
    SortedMap<String, AdminState> states = new TreeMap<>();
    for (String change : changes) {
      if (change.contains(" ")) {
        String[] state = change.split(" ", 2);
        states.put(state[0], AdminState.of(Optional.of(state[1])));
      }
      if (change.startsWith("+")) {
        PoolEntry entry = entry(change.substring(1));
        add.put(entry.address().orElseThrow(), entry.name());
      }
    }
    return PoolEdit.of(remove, add).with(states);
  }

  /** A GET that shows nothing but the view. */
  static PoolEvent.ReadDone read(PoolView view) {
    return new PoolEvent.ReadDone(new InMemoryArm.Document(view));
  }

  static PoolEvent desire(Assignment assignment, String... members) {
    return new PoolEvent.Desire(assignment, exactly(members));
  }

  /** A turn is asked for, to set so many of so many entries Down. */
  static PoolEffect drain(Lane lane, int part, int whole) {
    return new PoolEffect.RequestTurn(new Priority(lane, new Share(part, whole)));
  }

  static PoolEffect well(long turn) {
    return new PoolEffect.ReturnTurn(turn, TurnResult.SUCCEEDED);
  }

  static PoolEffect unchanged(long turn) {
    return new PoolEffect.ReturnTurn(turn, TurnResult.UNCHANGED);
  }

  static PoolEffect unread(long turn) {
    return new PoolEffect.ReturnTurn(turn, TurnResult.UNREAD);
  }

  static PoolEffect badly(long turn) {
    return new PoolEffect.ReturnTurn(turn, TurnResult.FAILED);
  }

  static PoolEffect contested(long turn) {
    return new PoolEffect.ReturnTurn(turn, TurnResult.CONFLICT);
  }

  static PoolEffect othersWrite(long turn) {
    return new PoolEffect.ReturnTurn(turn, TurnResult.OTHER_WRITER);
  }

  static final PoolEffect LOOK = new PoolEffect.Report(PoolReport.Sign.LOOK_WANTED);

  /** An actor of {@link #POOL} whose jitter is in the middle and whose reports go nowhere. */
  static Behavior<PoolEvent> actor(
      BackendPools arm, ActorRef<TurnstileActor.Command> turnstile, InstantSource clock) {
    PoolDeps deps =
        new PoolDeps(
            arm,
            turnstile,
            event -> {},
            new SilentObserver(),
            clock,
            () -> new Drawing(0.5),
            LIMITS);
    return PoolActor.create(POOL, deps, report -> {});
  }

  /** A turn without an end in sight. */
  static PoolEvent.TurnGranted granted(long turn) {
    return new PoolEvent.TurnGranted(turn, Instant.MAX, false);
  }

  static PoolEffect emitUpdated(Assignment to) {
    return new PoolEffect.Emit(
        new ObjectEvent(
            new ObjectReference.OfService(to.service(), to.uid()),
            ObjectEvent.Type.NORMAL,
            "LoadBalancerBackendPoolUpdated",
            "Load balancer backend pool updated successfully"));
  }

  static PoolEffect emitFailed(Assignment to, ArmFailure failure) {
    return warning(
        to,
        "LoadBalancerBackendPoolUpdateFailed",
        "Backend pool update failed (non-retriable): "
            + failure
            + ". Poolkeeper also tries again by itself.");
  }

  static PoolEffect emitRetrying(Assignment to, ArmFailure failure) {
    return warning(
        to,
        "LoadBalancerBackendPoolUpdateRetrying",
        "Backend pool update failed, will retry: " + failure + ".");
  }

  static PoolEffect emitExhausted(Assignment to, int retries, ArmFailure failure) {
    return warning(
        to,
        "LoadBalancerBackendPoolUpdateFailed",
        "Backend pool update failed after "
            + retries
            + " retries: "
            + failure
            + ". To retrigger, cause an endpoint change for the Service (e.g., restart or scale a"
            + " backing pod). Poolkeeper also tries again by itself.");
  }

  private static PoolEffect warning(Assignment to, String reason, String message) {
    return new PoolEffect.Emit(
        new ObjectEvent(
            new ObjectReference.OfService(to.service(), to.uid()),
            ObjectEvent.Type.WARNING,
            reason,
            message));
  }

  static PoolEffect requeued(ArmFailure failure, int operations) {
    return new PoolEffect.Requeue(failure, operations, Duration.ZERO, true);
  }

  /** As the attempt before. */
  static PoolEffect requeuedAgain(ArmFailure failure, int operations) {
    return new PoolEffect.Requeue(failure, operations, Duration.ZERO, false);
  }

  static PoolEffect countUpdated(Duration took) {
    return new PoolEffect.Updated(took);
  }

  /** As the attempt before. */
  static PoolEffect countFailedAgain(ArmFailure failure, Duration took) {
    return new PoolEffect.Failed(failure, took, false);
  }

  static PoolEffect countFailed(ArmFailure failure, Duration took) {
    return new PoolEffect.Failed(failure, took, true);
  }

  private static PoolEvent bound(Optional<String> held) {
    return new PoolEvent.Bind(Optional.of(BoundPool.of(POOL, ALL, WEB, IpFamily.IPV4, held)));
  }
}
