package io.poolkeeper.lab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.judge.SharedLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A cloud provider that shares the Lease, writes pools from old listings, whole load balancers and
 * entries without admin state, and a person in the portal who knows no Lease, while endpoints move
 * and nodes leave. No pool is damaged three times in a row, as that is repaired later. Used by one
 * thread.
 *
 * @param still Services whose endpoints stay for now
 */
record OtherWriter(Stage stage, Set<Spec> still) implements Play {
  /** The first wait of the cloud provider's Service queue; it doubles, without jitter. */
  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(5);

  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

  /** How often endpoints move while the cloud provider waits. */
  private static final Duration CHURN = Duration.ofSeconds(2);

  private static final int MOVES = 3;

  /** An address of no node. */
  private static final String FOREIGN = "10.240.0.250";

  OtherWriter(Stage stage) {
    this(stage, new HashSet<>());
  }

  @Override
  public void prepare() {
    stage.ledger.byChance = true;
  }

  @Override
  public void play() throws InterruptedException {
    Spec chat = Blueprint.named("chat");
    Spec login = Blueprint.named("login");
    still.add(chat);
    List<Integer> first = List.of(stage.world.first(chat), stage.world.first(login));
    stage.say("two nodes leave, and the cloud provider writes whole load balancers");
    stage.nodes.taint(Set.copyOf(first), Leaving.OUT_OF_SERVICE);
    reconcileAll();
    staleListing(List.of(Blueprint.named("search"), login));
    portal();
    readded(chat, first.getFirst());
    still.clear();
    List<Spec> both = List.of(Blueprint.named("web"), Blueprint.named("billing"));
    List<Integer> second = longHold(both);
    reconcileAll();
    stage.convergeAndReport();
    stage.say("the cloud provider writes what it has listed, which it must have dropped");
    reconcile(both.getFirst(), listed(both));
    stage.say("the nodes are back, and an address is taken out in the portal");
    Set<Integer> back = new TreeSet<>(first);
    back.addAll(second);
    stage.nodes.taint(back);
    Spec audit = Blueprint.named("audit");
    stage.peer.remove(audit, stage.world.ipv4(stage.world.first(audit)));
    reconcileAll();
    stage.convergeAndReport();
  }

  /** Each load balancer is written whole, as for a Service of it. */
  private void reconcileAll() throws InterruptedException {
    for (String loadBalancer : Blueprint.LOAD_BALANCERS) {
      churn();
      stage.pause(Duration.ofMillis(stage.random.nextLong(stage.interval.toMillis() / 2 + 1)));
      Spec one =
          Blueprint.SERVICES.stream()
              .filter(spec -> spec.loadBalancer().equals(loadBalancer))
              .findFirst()
              .orElse(Blueprint.SERVICES.getFirst());
      reconcile(one, peer -> peer.touch(loadBalancer));
    }
  }

  /** Pools are read before the Lease is taken, and written back after the controller wrote them. */
  private void staleListing(List<Spec> services) throws InterruptedException {
    stage.say("the cloud provider writes pools back as they were before two Services moved");
    Map<Spec, ObjectNode> old = new HashMap<>();
    for (Spec spec : services) {
      old.put(spec, stage.peer.read(spec));
    }
    services.forEach(stage::move);
    still.addAll(services);
    stage.pause(stage.interval);
    tick(peer -> write(peer, old), services);
    services.forEach(still::remove);
  }

  private static void write(Peer peer, Map<Spec, ObjectNode> documents)
      throws InterruptedException {
    for (var document : documents.entrySet()) {
      peer.write(document.getKey(), document.getValue());
    }
  }

  private void portal() throws InterruptedException {
    stage.say("a person in the portal writes a load balancer, adds an address, and sets states");
    churn();
    stage.peer.touch(Blueprint.CLUSTER);
    stage.peer.add(Blueprint.named("media"), "portal", FOREIGN);
    churn();
    state("feed", "Up");
    state("push", "Down");
  }

  private void state(String service, String state) throws InterruptedException {
    Spec spec = Blueprint.named(service);
    stage.peer.set(spec, stage.world.ipv4(stage.world.first(spec)), Optional.of(state));
  }

  /** The entry of a node that is out of service comes back without its state. */
  private void readded(Spec spec, int node) throws InterruptedException {
    stage.say("the cloud provider takes the entry of a leaving node out, and adds it anew");
    String address = stage.world.ipv4(node);
    tick(
        peer -> {
          peer.remove(spec, address);
          peer.add(spec, Blueprint.nodeName(node), address);
        },
        List.of(spec));
  }

  /**
   * The Lease is held so long that drains go without it; they are undone by writes of the listing
   * from before, as nobody else has had the Lease.
   */
  private List<Integer> longHold(List<Spec> both) throws InterruptedException {
    Duration wait = stage.lab.settings().lock().drainWait().orElse(Duration.ZERO);
    Duration hold = wait.plus(stage.interval);
    stage.say("the cloud provider holds the Lease for %.1f s".formatted(hold.toMillis() / 1e3));
    List<Integer> nodes = both.stream().map(stage.world::first).toList();
    still.addAll(both);
    reconcile(
        both.getFirst(),
        peer -> {
          for (Spec spec : both) {
            peer.cached(spec);
          }
          churn();
          stage.nodes.taint(Set.copyOf(nodes), Leaving.SHUTDOWN);
          stage.pause(hold);
          listed(both).with(peer);
        });
    both.forEach(stage.peer::announce);
    still.clear();
    return nodes;
  }

  /** Writes pools as they were when the cloud provider listed them. */
  private static Peer.Work listed(List<Spec> services) {
    return peer -> {
      for (Spec spec : services) {
        peer.write(spec, peer.cached(spec));
      }
    };
  }

  /** A tick of the updater: what could not be done waits for the next one. It says what it did. */
  private void tick(Peer.Work work, List<Spec> services) throws InterruptedException {
    while (!stage.peer.underLease(work)) {
      churn();
      stage.pause(stage.interval);
    }
    services.forEach(stage.peer::announce);
  }

  /** A reconcile of a Service is tried again after a time that doubles; changes never end. */
  private void reconcile(Spec spec, Peer.Work work) throws InterruptedException {
    Duration backoff = FIRST_BACKOFF;
    while (!stage.peer.reconcile(spec, work)) {
      long next = stage.nanos() + backoff.toNanos();
      while (next - stage.nanos() > 0) {
        churn();
        long left = Math.min(next - stage.nanos(), CHURN.toNanos());
        stage.pause(Duration.ofNanos(Math.max(0, left)));
      }
      backoff = backoff.multipliedBy(2);
      backoff = backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF;
    }
  }

  private void churn() {
    for (int i = 0; i < MOVES; i++) {
      Spec spec = Blueprint.SERVICES.get(stage.random.nextInt(Blueprint.SERVICES.size()));
      if (!still.contains(spec)) {
        stage.move(spec);
      }
    }
  }

  @Override
  public void check(Judgement judgement) {
    // Those of a person in the portal may be in flight at any time.
    judgement.none("no write cancels another one", judgement.journal().cancelling());
    judgement.ofWrites();
    // What was refused may have been a drain, which is tried again sooner.
    List<ArmRequest> accepted =
        judgement.audit().requests().stream().filter(ArmRequest::accepted).toList();
    judgement.spaced(accepted);
    judgement.reports();
    judgement.failures();
    judgement.ofNodes();
    SharedLease lease = lease();
    judgement.none(
        "no write while the cloud provider holds the Lease, but for late drains",
        lease.beside(judgement.requests(), judgement.writes(), false));
    judgement.none(
        "a cloud provider that says that it waits fails four times more at most",
        lease.impatient());
    judgement.none("the cloud provider hears of every session", lease.silent());
    judgement.leases();
  }

  private SharedLease lease() {
    PeerLease lease = stage.peer.lease();
    return new SharedLease(
        lease.attempts, lease.holds, stage.lab.settings().lock().drainWait(), stage.ledger.left);
  }

  @Override
  public LabReport.SharedLease sharedLease(Judgement judgement) {
    SharedLease lease = lease();
    return new LabReport.SharedLease(
        lease.attempts().size(),
        lease.failed(),
        lease.longestRun(),
        lease.beside(judgement.requests(), judgement.writes(), true).size());
  }
}
