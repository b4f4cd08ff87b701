package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.config.Settings;
import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaderElection;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.lock.OtherLeaderCore;
import io.poolkeeper.lock.OtherLeaderCore.Effect;
import io.poolkeeper.lock.OtherLeaderCore.Event;
import io.poolkeeper.lock.OtherLeaderCore.State;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An election that does not begin while the leader of another installation renews its Lease.
 * Policy: {@link OtherLeaderCore}. It reads on a thread and a connection of its own, and writes
 * nothing.
 */
public final class GuardedElection implements LeaderElection, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(GuardedElection.class);

  private static final Pattern NAMESPACED = Pattern.compile("[a-z0-9-]{1,63}/[a-z0-9.-]{1,253}");

  private final KubeLeaderElection election;
  private final Optional<Settings.Lock> lock;
  private final String own;
  private final KubernetesClient client;
  private final InstantSource clock;
  private final OtherLeaderCore core;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("other-leader").factory());

  /** The other installation's Lease, once the shared one has named it; of the thread alone. */
  private String otherLease = "";

  /** Whether the last read failed; of the thread alone. */
  private boolean lastReadFailed;

  /**
   * An election that has not begun.
   *
   * @param election closed with this one
   * @param lock the shared Lease; empty if this process does not take it, and looks for nobody
   * @param own namespace and name of our leader's Lease
   * @param other the client whose API server and credentials are used; it stays open
   * @param clock monotonic
   */
  public GuardedElection(
      KubeLeaderElection election,
      Settings.LeaderElection settings,
      Optional<Settings.Lock> lock,
      String own,
      KubernetesClient other,
      InstantSource clock) {
    this.election = election;
    this.lock = lock;
    this.own = own;
    this.clock = clock;
    client = KubeClients.onceForLease(other, KubeLeases.CALL);
    core = new OtherLeaderCore(settings.leaseDuration(), settings.retryPeriod());
  }

  @Override
  public void start(Consumer<Instant> renewed, Consumer<String> ended) {
    if (lock.isEmpty()) {
      election.start(renewed, ended);
    } else {
      schedule(Duration.ZERO, () -> look(new State.Initial(), renewed, ended));
    }
  }

  private void schedule(Duration delay, Runnable look) {
    try {
      Future<?> unused = thread.schedule(look, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      log.debug("other-leader=closed");
    }
  }

  private void look(State state, Consumer<Instant> renewed, Consumer<String> ended) {
    Event event = read();
    Instant now = clock.instant();
    Decision<State, Effect> decision = core.decide(state, event, now, new SplittableRandom(0));
    for (Effect effect : decision.effects()) {
      switch (effect) {
        case Effect.Stand stand -> election.start(renewed, ended);
        case Effect.StandUnsure unsure -> {
          log.warn(
              "writer=unknown other=\"{}\" effect=\"another Poolkeeper may write at the same"
                  + " time\" error=\"{}\"",
              otherLease,
              unsure.why());
          election.start(renewed, ended);
        }
        case Effect.Refuse refuse -> ended.accept(refusal(refuse.holder()));
      }
    }
    core.wakeAt(decision.state())
        .ifPresent(
            at ->
                schedule(Duration.between(now, at), () -> look(decision.state(), renewed, ended)));
  }

  private String refusal(String holder) {
    return ("another Poolkeeper writes in this cluster: %s renews Lease %s, and ours is %s. Stop"
            + " that one, or start this one with mode = shadow, or give it the same"
            + " leader-election.namespace and leader-election.name")
        .formatted(holder, otherLease, own);
  }

  private Event read() {
    try {
      Event event = otherLease.isEmpty() ? readShared(lock.orElseThrow()) : readOther();
      lastReadFailed = false;
      return event;
    } catch (RuntimeException failure) {
      // An exception that left this thread would silently keep the election from beginning.
      String why = Causes.text(failure, client);
      if (Causes.isStatus(failure, HttpURLConnection.HTTP_FORBIDDEN)) {
        return new Event.Refused(why);
      }
      if (!lastReadFailed) {
        log.warn("writer=unknown action=\"try again before the election\" error=\"{}\"", why);
      }
      lastReadFailed = true;
      return new Event.Failed();
    }
  }

  /** Reads the shared Lease, and then the one that it names. */
  private Event readShared(Settings.Lock shared) {
    String writer =
        lease(shared.namespace(), shared.name())
            .map(lease -> lease.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(LeaseFormat.WRITER))
            .orElse("");
    if (writer.isEmpty() || writer.equals(own)) {
      return new Event.None();
    }
    if (!NAMESPACED.matcher(writer).matches()) {
      return new Event.Refused(
          "annotation %s of Lease %s/%s is not NAMESPACE/NAME"
              .formatted(LeaseFormat.WRITER, shared.namespace(), shared.name()));
    }
    otherLease = writer;
    log.info("writer={} action=\"watch whether that Lease is renewed\"", otherLease);
    return readOther();
  }

  private Event readOther() {
    int slash = otherLease.indexOf('/');
    return lease(otherLease.substring(0, slash), otherLease.substring(slash + 1))
        .map(lease -> Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new))
        .<Event>map(
            spec ->
                new Event.Seen(
                    new LeaderView(
                        Objects.requireNonNullElse(spec.getHolderIdentity(), ""),
                        Optional.ofNullable(spec.getRenewTime())
                            .map(ZonedDateTime::toInstant)
                            .orElse(Instant.EPOCH)),
                    Duration.ofSeconds(
                        Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0))))
        .orElseGet(Event.None::new);
  }

  private Optional<Lease> lease(String namespace, String name) {
    return Optional.ofNullable(client.leases().inNamespace(namespace).withName(name).get());
  }

  @Override
  public void close() {
    thread.shutdownNow();
    election.close();
    client.close();
  }
}
