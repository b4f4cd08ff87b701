package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads and writes the shared Lease in the form of the cloud provider. A Lease without a holder is
 * free. It is renewed only when it is taken, and expires its duration after that. An annotation
 * names the last holder, as the cloud provider drops its caches after another one.
 *
 * <p>Thread-safe for one thread that writes and several that read.
 */
final class LeaseFormat {
  static final String PREVIOUS_HOLDER = "aks-managed-resource-locker-previous-holder";

  /** Namespace and name of the Lease of the leader that took the shared one last. */
  static final String WRITER = "poolkeeper.io/writer";

  /** The number of calls after which an older one has ended. */
  private static final int STAMPS = 16;

  private final KubeLeases.Terms terms;
  private final InstantSource clock;
  private final InstantSource wall;

  /**
   * The times at which this process took the Lease, or tried to, the newest at the end. No other
   * process writes the same times. A call without an answer may still arrive after later ones.
   */
  private volatile List<Instant> stamps = List.of();

  LeaseFormat(KubeLeases.Terms terms, InstantSource clock, InstantSource wall) {
    this.terms = terms;
    this.clock = clock;
    this.wall = wall;
  }

  static long version(Lease lease) {
    return WatchClient.version(lease.getMetadata().getResourceVersion());
  }

  LeaseView view(Lease lease) {
    return new LeaseView(
        version(lease), Optional.ofNullable(lease.getSpec()).flatMap(this::holder));
  }

  private Optional<Holder> holder(LeaseSpec spec) {
    String identity = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
    if (identity.isEmpty()) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    Duration ahead = Duration.between(wall.instant(), now);
    Optional<Instant> takenAt =
        Optional.ofNullable(spec.getAcquireTime()).map(ZonedDateTime::toInstant);
    Instant expires =
        Optional.ofNullable(spec.getRenewTime())
            .map(renewed -> renewed.toInstant().plusSeconds(seconds(spec)).plus(ahead))
            .orElse(now);
    return Optional.of(
        new Holder(
            identity, whose(identity, takenAt), takenAt.map(time -> time.plus(ahead)), expires));
  }

  private Whose whose(String identity, Optional<Instant> takenAt) {
    if (!identity.equalsIgnoreCase(terms.identity())) {
      return Whose.OTHER;
    }
    return takenAt.filter(stamps::contains).isPresent() ? Whose.OURS : Whose.NAMESAKE;
  }

  private static int seconds(LeaseSpec spec) {
    return Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0);
  }

  /** A Lease to take where there was none. */
  Lease fresh() {
    return new LeaseBuilder()
        .withNewMetadata()
        .withNamespace(terms.namespace())
        .withName(terms.name())
        .endMetadata()
        .build();
  }

  /** Holder and writer are written when the Lease is taken, so that a crash leaves them known. */
  Lease taken(Lease base) {
    ZonedDateTime time = stamp().atZone(ZoneOffset.UTC);
    int before = base.getSpec() == null ? 0 : seconds(base.getSpec());
    return annotated(base)
        .editMetadata()
        .addToAnnotations(terms.writer().map(writer -> Map.of(WRITER, writer)).orElse(Map.of()))
        .endMetadata()
        .editOrNewSpec()
        .withHolderIdentity(terms.identity())
        .withLeaseDurationSeconds(Math.max(before, (int) terms.duration().toSeconds()))
        .withAcquireTime(time)
        .withRenewTime(time)
        .endSpec()
        .build();
  }

  private Instant stamp() {
    Instant now = wall.instant().truncatedTo(ChronoUnit.MICROS);
    List<Instant> before = stamps;
    Instant last = before.isEmpty() ? Instant.EPOCH : before.getLast();
    Instant stamp = now.isAfter(last) ? now : last.plus(1, ChronoUnit.MICROS);
    List<Instant> next = new ArrayList<>(before);
    next.add(stamp);
    stamps = List.copyOf(next.subList(Math.max(0, next.size() - STAMPS), next.size()));
    return stamp;
  }

  Lease givenBack(Lease base) {
    return annotated(base).editOrNewSpec().withHolderIdentity("").endSpec().build();
  }

  private LeaseBuilder annotated(Lease base) {
    return new LeaseBuilder(base)
        .editMetadata()
        .addToAnnotations(PREVIOUS_HOLDER, terms.identity())
        .endMetadata();
  }
}
