package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import io.poolkeeper.config.Settings;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease of the leader, as the lock of the library's elector. The library's own lock compares
 * the renewal's time, by the clock of the machine that wrote it, with the clock of this one; here a
 * Lease expires its duration after this process has first seen that renewal, as in client-go. A
 * write replaces the Lease as it was read, or is refused. A Lease that is empty or half filled is
 * free.
 *
 * <p>Not thread-safe: the elector calls it one call at a time, and sees to visibility.
 */
final class LeaderLease implements Lock {
  private static final Logger log = LoggerFactory.getLogger(LeaderLease.class);

  private final String namespace;
  private final String name;
  private final String identity;
  private final Duration retryPeriod;
  private final InstantSource clock;
  private final InstantSource wall;
  private final Consumer<Instant> renewed;
  private final Consumer<Lease> reads;
  private final Supplier<Optional<URI>> url;

  private @Nullable Lease lastRead;
  private Instant lastReadAt = Instant.MIN;
  private @Nullable LeaseSpec lastChange;
  private Instant lastChangeAt = Instant.MIN;
  private String lastError = "";
  private String lastHolder = "";

  /**
   * A Lease that need not exist.
   *
   * @param settings of the elector
   * @param renewed receives when each write was sent that made or kept this process the holder
   * @param reads receives the Lease each time that it is read
   * @param url where this process answers those on its machine; empty if it does not, or not yet
   */
  LeaderLease(
      Settings.LeaderElection settings,
      String namespace,
      String identity,
      InstantSource clock,
      InstantSource wall,
      Consumer<Instant> renewed,
      Consumer<Lease> reads,
      Supplier<Optional<URI>> url) {
    this.namespace = namespace;
    this.name = settings.name();
    this.identity = identity;
    this.retryPeriod = settings.retryPeriod();
    this.clock = clock;
    this.wall = wall;
    this.renewed = renewed;
    this.reads = reads;
    this.url = url;
  }

  @Override
  public @Nullable LeaderElectionRecord get(KubernetesClient client) {
    Instant now = clock.instant();
    // After slow calls the elector makes all those that it has missed, one after another.
    if (!identity.equals(lastHolder) && now.isBefore(lastReadAt.plus(retryPeriod.dividedBy(2)))) {
      throw new KubernetesClientException("too soon", HttpURLConnection.HTTP_CONFLICT, null);
    }
    lastReadAt = now;
    Lease lease =
        call(() -> client.leases().inNamespace(namespace).withName(name).get()).orElse(null);
    lastRead = lease;
    if (lease == null) {
      return null;
    }
    reads.accept(lease);
    LeaseSpec spec = Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
    if (!spec.equals(lastChange)) {
      lastChange = spec;
      lastChangeAt = clock.instant();
    }
    setHolder(Objects.requireNonNullElse(spec.getHolderIdentity(), ""));
    return record(spec);
  }

  private LeaderElectionRecord record(LeaseSpec spec) {
    ZonedDateTime now = ZonedDateTime.ofInstant(wall.instant(), ZoneOffset.UTC);
    ZonedDateTime renewedAt = now.minus(Duration.between(lastChangeAt, clock.instant()));
    return new LeaderElectionRecord(
        spec.getHolderIdentity(),
        Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0)),
        Objects.requireNonNullElse(spec.getAcquireTime(), now),
        renewedAt,
        Objects.requireNonNullElse(spec.getLeaseTransitions(), 0));
  }

  @Override
  public void create(KubernetesClient client, LeaderElectionRecord next) {
    write(client, next, Resource::create);
  }

  @Override
  public void update(KubernetesClient client, LeaderElectionRecord next) {
    try {
      write(client, next, Resource::update);
    } catch (KubernetesClientException refused) {
      // A renewal was in flight when the elector was cancelled; nobody repeats its release.
      boolean release = Objects.requireNonNullElse(next.getHolderIdentity(), "").isEmpty();
      if (!release || !Causes.isConflict(refused)) {
        throw refused;
      }
      get(client);
      if (!identity.equals(lastHolder)) {
        throw refused;
      }
      write(client, next, Resource::update);
    }
  }

  private void write(
      KubernetesClient client, LeaderElectionRecord next, Function<Resource<Lease>, Lease> send) {
    Lease lease =
        new LeaseBuilder(lastRead == null ? new Lease() : lastRead)
            .editOrNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .removeFromAnnotations(LeaderPod.URL) // the holder before had its own
            .addToAnnotations(
                url.get().map(own -> Map.of(LeaderPod.URL, own.toString())).orElse(Map.of()))
            .endMetadata()
            .editOrNewSpec()
            .withHolderIdentity(next.getHolderIdentity())
            .withLeaseDurationSeconds(Math.max(1, (int) next.getLeaseDuration().toSeconds()))
            .withAcquireTime(next.getAcquireTime())
            .withRenewTime(next.getRenewTime())
            .withLeaseTransitions(next.getLeaderTransitions())
            .endSpec()
            .build();
    Instant sentAt = clock.instant();
    call(() -> send.apply(client.leases().inNamespace(namespace).resource(lease)));
    String holder = Objects.requireNonNullElse(next.getHolderIdentity(), "");
    setHolder(holder);
    if (identity.equals(holder)) {
      renewed.accept(sentAt);
    }
  }

  /** Any other exception would end the election silently. The same failure is logged once. */
  private <T> Optional<T> call(Supplier<@Nullable T> call) {
    try {
      Optional<T> result = Optional.ofNullable(call.get());
      lastError = "";
      return result;
    } catch (RuntimeException failure) {
      String error = Causes.text(failure);
      boolean conflict = Causes.isConflict(failure);
      if (!conflict && !error.equals(lastError)) {
        lastError = error;
        log.warn(
            "lease={}/{} identity={} call=failed error=\"{}\"", namespace, name, identity, error);
      }
      throw failure instanceof KubernetesClientException known
          ? known
          : new KubernetesClientException(error, failure);
    }
  }

  private void setHolder(String holder) {
    if (!holder.equals(lastHolder)) {
      log.info(
          "lease={}/{} identity={} leader={}",
          namespace,
          name,
          identity,
          holder.isEmpty() ? "none" : holder);
      lastHolder = holder;
    }
  }

  /** The holder when the Lease was read last; empty if there was none. */
  String holder() {
    return lastHolder;
  }

  @Override
  public String identity() {
    return identity;
  }

  @Override
  public String describe() {
    return "lease=%s/%s identity=%s".formatted(namespace, name, identity);
  }
}
