package io.poolkeeper.kube.binding;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.poolkeeper.admission.AdmissionSubject;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.kube.WatchedKind;
import io.poolkeeper.kube.binding.BindingStatus.CheckStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts bindings to views, and their checks and times back. Times of the API are of other
 * machines' clocks; they are converted to ours when they arrive.
 */
public record BindingViews(InstantSource clock, InstantSource wall) {
  private static final BindingStatus NONE =
      new BindingStatus(null, null, null, null, null, null, null, null);

  public WatchedKind<BackendPoolBinding, BindingKey, BindingView> kind() {
    return new WatchedKind<>(
        "backendpoolbindings",
        client -> client.resources(BackendPoolBinding.class).inAnyNamespace().runnableInformer(0),
        BackendPoolBinding::new,
        BindingKey::new,
        true,
        false,
        binding -> Optional.of(view(binding)));
  }

  public BindingView view(BackendPoolBinding binding) {
    ObjectMeta meta = binding.getMetadata();
    SpecReader reader = new SpecReader();
    Optional<BindingTarget> target = reader.read(meta.getNamespace(), binding.getSpec());
    Long generation = Objects.requireNonNullElse(meta.getGeneration(), 0L);
    return new BindingView(
        new BindingKey(meta.getNamespace(), meta.getName()),
        Objects.requireNonNullElse(meta.getUid(), ""),
        Objects.requireNonNullElse(meta.getResourceVersion(), ""),
        time(meta.getCreationTimestamp()).orElse(Instant.EPOCH),
        time(meta.getDeletionTimestamp()).map(time -> time.plus(ahead())),
        SpecReader.present(meta.getFinalizers()).anyMatch(BackendPoolBinding.FINALIZER::equals),
        generation.equals(status(binding).observedGeneration()),
        SpecReader.pool(binding.getSpec()),
        target,
        reader.problems(),
        subject(binding, generation));
  }

  /** All checks in the form of the API; an unchanged one keeps its own texts. */
  List<CheckStatus> texts(BackendPoolBinding read, List<Check> checks) {
    Duration ahead = ahead();
    return checks.stream()
        .map(check -> text(check, status(read).admissionChecks(), ahead))
        .toList();
  }

  /** A time of our clock in the form of the API. */
  String text(Instant time) {
    return text(time, ahead());
  }

  private AdmissionSubject subject(BackendPoolBinding binding, long generation) {
    BindingSpec spec = binding.getSpec();
    BindingStatus status = status(binding);
    Long observed = status.observedGeneration();
    Duration ahead = ahead();
    return new AdmissionSubject(
        SpecReader.checks(spec),
        SpecReader.present(status.admissionChecks()).map(check -> check(check, ahead)).toList(),
        spec == null || !Boolean.FALSE.equals(spec.active()),
        binding.getMetadata().getDeletionTimestamp() != null,
        observed != null && observed != generation);
  }

  private static Check check(CheckStatus check, Duration ahead) {
    return Check.read(
        Objects.requireNonNullElse(check.name(), ""),
        Objects.requireNonNullElse(check.state(), ""),
        time(check.lastTransitionTime()).map(time -> time.plus(ahead)),
        Objects.requireNonNullElse(check.message(), ""),
        Optional.ofNullable(check.requeueAfterSeconds()),
        Objects.requireNonNullElse(check.retryCount(), 0));
  }

  /** A time that cannot be read counts as absent. */
  private static Optional<Instant> time(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(given -> OffsetDateTime.parse(given).toInstant());
    } catch (DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }

  private CheckStatus text(Check check, @Nullable List<CheckStatus> old, Duration ahead) {
    return SpecReader.present(old)
        .filter(status -> same(check, check(status, ahead)))
        .findFirst()
        .orElseGet(
            () ->
                new CheckStatus(
                    check.name(),
                    check.state().toString(),
                    text(since(check), ahead),
                    check.message().isEmpty() ? null : check.message(),
                    check.requeueAfterSeconds().orElse(null),
                    check.retryCount()));
  }

  /** Whether two checks are equal but for a clock that was set in between. */
  private static boolean same(Check one, Check other) {
    boolean close =
        Duration.between(since(one), since(other)).abs().compareTo(Duration.ofSeconds(1)) < 0;
    return close && one.since(Instant.EPOCH).equals(other.since(Instant.EPOCH));
  }

  private static Instant since(Check check) {
    return check.lastTransitionTime().orElse(Instant.EPOCH);
  }

  /** A time that is converted twice is rounded, as it is a little off; the past stays past. */
  private String text(Instant time, Duration ahead) {
    Instant exact = time.minus(ahead);
    Instant text = exact.plusMillis(500).truncatedTo(ChronoUnit.SECONDS);
    Instant now = wall.instant();
    boolean over = !exact.isAfter(now) && text.isAfter(now);
    return (over ? text.minusSeconds(1) : text).toString();
  }

  private Duration ahead() {
    return Duration.between(wall.instant(), clock.instant());
  }

  static BindingStatus status(BackendPoolBinding binding) {
    return Objects.requireNonNullElse(binding.getStatus(), NONE);
  }

  /** The object with another status and its own version, which guards the write. */
  static BackendPoolBinding with(BackendPoolBinding read, BindingStatus status) {
    BackendPoolBinding copy = new BackendPoolBinding();
    copy.setMetadata(read.getMetadata());
    copy.setSpec(read.getSpec());
    copy.setStatus(status);
    return copy;
  }
}
