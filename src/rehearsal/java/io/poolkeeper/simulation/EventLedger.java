package io.poolkeeper.simulation;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The events of one process, and the rules about those of Services: a conflict is retried, and
 * nothing is given up before all retries were used.
 */
final class EventLedger {
  private static final Pattern EXHAUSTED = Pattern.compile("failed after (\\d+) retries");

  private final SimWorld sim;
  private final Attempts attempts;
  private final StateRules states;
  private final CountRules counts;

  /** Of Services, by UID: since their pool was updated or had nothing to retry. */
  private final Map<String, Integer> retries = new HashMap<>();

  EventLedger(SimWorld sim, Attempts attempts, StateRules states, CountRules counts) {
    this.counts = counts;
    this.sim = sim;
    this.attempts = attempts;
    this.states = states;
  }

  /** The process records an event. */
  void recorded(ObjectEvent event) {
    sim.trace.say("event of %s: %s: %s".formatted(event.about(), event.reason(), event.message()));
    if (event.reason().equals("LoadBalancerLeftoverFound")) {
      sim.mark(RunMark.LEFTOVER_FOUND);
    } else if (event.about().kind().equals("Service")) {
      counts.reported(event.reason());
      ObjectReference about = event.about();
      if (!BindingUsers.bound(new ServiceKey(about.namespace(), about.name()))) {
        recorded(event, about);
      }
    } else {
      states.recorded(event);
    }
  }

  private void recorded(ObjectEvent event, ObjectReference about) {
    switch (event.reason()) {
      case "LoadBalancerBackendPoolContested" -> {}
      case "LoadBalancerBackendPoolUpdated" -> {
        SimCluster.Service service = sim.cluster.services.get(about.name());
        if (service != null && service.uid().equals(about.uid()) && single(service.pools())) {
          retries.remove(about.uid());
        }
      }
      case "LoadBalancerBackendPoolUpdateRetrying" -> retries.merge(about.uid(), 1, Integer::sum);
      default -> failed(retries.getOrDefault(about.uid(), 0), event);
    }
  }

  /** Whether the events were about one pool; a Service that has moved had two of one name. */
  private boolean single(List<String> pools) {
    return pools.size() == 1 && attempts.at(pools).size() <= 1;
  }

  /** A pool has nothing to retry any more. */
  void rests(PoolId pool) {
    sim.cluster
        .owner(pool.name())
        .filter(service -> attempts.at(pool).isPresent() && single(service.pools()))
        .ifPresent(service -> retries.remove(service.uid()));
  }

  private void failed(int retried, ObjectEvent event) {
    int most = sim.options.pools().maxRetries();
    boolean retriable =
        event.message().contains("(non-retriable)")
            && (event.message().contains("HTTP 412") || event.message().contains("HTTP 409"));
    sim.check(!retriable, "a conflict is not retried: " + event);
    Matcher exhausted = EXHAUSTED.matcher(event.message());
    if (exhausted.find()) {
      sim.mark(RunMark.RETRIES_EXHAUSTED);
      boolean all = Integer.parseInt(exhausted.group(1)) == most;
      sim.check(all && retried >= most, "given up after %d retries: %s".formatted(retried, event));
    }
  }
}
