package io.poolkeeper.simulation;

import io.poolkeeper.kube.EventCorrelator;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The events of one process, and the rules about them: they are true, about Services that own the
 * pool, and as many as there are outcomes; a change is retried exactly as often as allowed.
 */
final class EventLedger {
  private static final String CONTESTED = "LoadBalancerBackendPoolContested";
  private static final Pattern EXHAUSTED = Pattern.compile("failed after (\\d+) retries");
  private static final Pattern UPDATES =
      Pattern.compile("poolkeeper_pool_updates_total\\{result=\"(\\w+)\"} (\\d+)");

  private final Ledger ledger;
  private final SimWorld sim;
  private final DesiredHistory desired;
  private final EventCorrelator correlator;
  private final Map<String, Retries> retries = new HashMap<>();
  private final Map<String, Integer> outcomes = new HashMap<>();

  /** Of one Service, by UID. */
  private static final class Retries {
    int sinceUpdate;
    int ofChange;
    Instant change = Instant.MIN;
  }

  EventLedger(Ledger ledger, SimWorld sim, DesiredHistory desired) {
    this.ledger = ledger;
    this.sim = sim;
    this.desired = desired;
    this.correlator = new EventCorrelator(sim.options.updater().interval());
  }

  /** The process records an event. */
  void recorded(ObjectEvent event) {
    sim.trace.say("event of %s: %s: %s".formatted(event.about(), event.reason(), event.message()));
    if (event.about() instanceof ObjectReference.OfService of) {
      recorded(event, of);
    } else {
      ledger.states().recorded(event, desired);
    }
  }

  private void recorded(ObjectEvent event, ObjectReference.OfService about) {
    if (BindingUsers.bound(about.service())) {
      count(event);
      return;
    }
    Optional<SimCluster.Service> service = service(about);
    List<String> pools = service.map(SimCluster.Service::pools).orElse(List.of());
    Instant lately = sim.time.now().minus(ledger.slack());
    sim.check(
        service.isEmpty()
            || pools.stream().anyMatch(pool -> desired.owned(pool, about.uid(), lately)),
        "an event of a Service that has left: " + event);
    if (event.reason().equals(StateRules.FOUND)) {
      ledger.states().found(event, desired);
      return;
    }
    if (event.reason().equals(CONTESTED)) {
      return;
    }
    Retries of = retries.computeIfAbsent(about.uid(), any -> new Retries());
    switch (event.reason().substring("LoadBalancerBackendPoolUpdate".length())) {
      case "d" -> {
        outcomes.merge("updated", 1, Integer::sum);
        of.sinceUpdate = single(pools) ? 0 : of.sinceUpdate;
        done(of, pools);
        service.ifPresent(found -> updated(found, event));
      }
      case "Retrying" -> retrying(of, pools, about, event);
      default -> {
        outcomes.merge("failed", 1, Integer::sum);
        failed(of, event);
        done(of, pools);
      }
    }
    correlator
        .correlate(event, sim.time.now())
        .ifPresent(write -> correlator.written(write, "event", sim.time.now()));
  }

  /** Of a Service that is only bound; the pool is not named in most of them. */
  private void count(ObjectEvent event) {
    switch (event.reason()) {
      case "LoadBalancerBackendPoolUpdated" -> outcomes.merge("updated", 1, Integer::sum);
      case "LoadBalancerBackendPoolUpdateRetrying", StateRules.FOUND, CONTESTED -> {}
      default -> outcomes.merge("failed", 1, Integer::sum);
    }
  }

  /** Whether it was one pool that events were about; one that has moved had two of one name. */
  private boolean single(List<String> pools) {
    return pools.size() == 1 && ledger.attempts().at(pools).size() <= 1;
  }

  /** What comes until the next change is no retry of it. */
  private void done(Retries of, List<String> pools) {
    pools.forEach(pool -> of.change = desired.lastChange(pool));
    of.ofChange = Integer.MIN_VALUE;
  }

  private Optional<SimCluster.Service> service(ObjectReference.OfService about) {
    return Optional.ofNullable(sim.cluster.services.get(about.name()))
        .filter(found -> found.uid().equals(about.uid()));
  }

  /** ARM had at some time of the attempt what was wanted at some time of it. */
  private void updated(SimCluster.Service service, ObjectEvent event) {
    boolean had =
        ledger.attempts().at(service.pools()).stream()
            .anyMatch(
                attempt ->
                    attempt.lied
                        || ledger.unsureSince(attempt.from)
                        || desired.satisfied(
                            attempt.pool.name(),
                            attempt.from.minus(ledger.slack()),
                            attempt.contents));
    sim.check(had, "an update that ARM never had: " + event);
  }

  private void retrying(
      Retries of, List<String> pools, ObjectReference.OfService about, ObjectEvent event) {
    of.sinceUpdate++;
    if (pools.size() != 1 || !sim.options.stableAssignments() || ledger.changed(about.service())) {
      return;
    }
    Instant change = desired.lastChange(pools.getFirst());
    if (ledger.unsureSince(change) || desired.vague(pools.getFirst())) {
      return;
    }
    if (!change.equals(of.change)) {
      of.change = change;
      of.ofChange = 0;
    }
    // An attempt that began earlier may be about older changes, or be a repair.
    Instant heard = change.plusSeconds(1).plus(ledger.slack());
    boolean counts =
        ledger.attempts().at(pools).stream().allMatch(attempt -> attempt.from.isAfter(heard));
    of.ofChange += counts ? 1 : 0;
    sim.check(
        of.ofChange <= sim.options.updater().maxRetries(),
        "a change is retried more often than allowed: " + event);
  }

  /** A pool is not there, and so its changes are dropped; what comes next is a repair. */
  void dropped(PoolId pool) {
    sim.cluster.owner(pool.name()).stream()
        .map(service -> retries.computeIfAbsent(service.uid(), any -> new Retries()))
        .forEach(of -> done(of, List.of(pool.name())));
  }

  /** A pool has nothing to retry any more. */
  void rests(PoolId pool) {
    sim.cluster.owner(pool.name()).stream()
        .forEach(
            service -> {
              Retries of = retries.computeIfAbsent(service.uid(), any -> new Retries());
              of.sinceUpdate = single(service.pools()) ? 0 : of.sinceUpdate;
              done(of, List.of(pool.name()));
            });
  }

  private void failed(Retries of, ObjectEvent event) {
    int most = sim.options.updater().maxRetries();
    boolean retriable =
        event.message().contains("(non-retriable)")
            && (event.message().contains("HTTP 412") || event.message().contains("HTTP 409"));
    sim.check(!retriable, "a conflict is not retried: " + event);
    Matcher exhausted = EXHAUSTED.matcher(event.message());
    if (exhausted.find()) {
      sim.mark(Mark.RETRIES_EXHAUSTED);
      boolean all = Integer.parseInt(exhausted.group(1)) == most;
      sim.check(
          all && of.sinceUpdate >= most,
          "given up after %d retries: %s".formatted(of.sinceUpdate, event));
    }
  }

  /** What is wrong with the metrics. */
  Optional<String> wrong(String scrape) {
    Matcher updates = UPDATES.matcher(scrape);
    while (updates.find()) {
      int events = outcomes.getOrDefault(updates.group(1), 0);
      int counted = Integer.parseInt(updates.group(2));
      // What a deleted binding has left is removed for no Service.
      boolean silent = sim.options.bindings().isPresent() && updates.group(1).equals("updated");
      if (silent ? events > counted : events != counted) {
        return Optional.of("counts %s, and %d events".formatted(updates.group(), events));
      }
    }
    return Optional.empty();
  }
}
