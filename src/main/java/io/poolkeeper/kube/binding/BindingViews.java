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
 * Converts bindings to views, and checks of the model back to the form of the API. The API's times
 * are by the wall clocks of other machines. Those of checks are kept as written, as they would
 * differ a little after two conversions.
 */
public record BindingViews(InstantSource clock, InstantSource wall) {
  private static final BindingStatus NONE =
      new BindingStatus(null, null, null, null, null, null, null, null);

  public WatchedKind<BackendPoolBinding, BindingKey, BindingView> kind() {
    return new WatchedKind<>(
            "backendpoolbindings",
            client ->
                client.resources(BackendPoolBinding.class).inAnyNamespace().runnableInformer(0),
            BackendPoolBinding::new,
            BindingKey::new,
            binding -> Optional.of(view(binding)))
        .asOptional();
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
        hasFinalizer(binding),
        generation.equals(status(binding).observedGeneration()),
        SpecReader.pool(binding.getSpec()),
        target,
        reader.problems(),
        subject(binding, generation));
  }

  /** All checks in the form of the API; an unchanged one keeps its own texts. */
  static List<CheckStatus> checkStatuses(BackendPoolBinding read, List<Check> checks) {
    List<CheckStatus> old = WatchedKind.present(status(read).admissionChecks()).toList();
    return checks.stream().map(check -> checkStatus(check, old)).toList();
  }

  /** A time of our clock in the form of the API. */
  String apiTime(Instant time) {
    return time.minus(ahead()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private AdmissionSubject subject(BackendPoolBinding binding, long generation) {
    BindingSpec spec = binding.getSpec();
    BindingStatus status = status(binding);
    Long observed = status.observedGeneration();
    return new AdmissionSubject(
        SpecReader.checks(spec),
        WatchedKind.present(status.admissionChecks()).map(BindingViews::check).toList(),
        spec == null || !Boolean.FALSE.equals(spec.active()),
        binding.getMetadata().getDeletionTimestamp() != null,
        observed != null && observed != generation,
        ahead());
  }

  private static Check check(CheckStatus check) {
    return Check.read(
        Objects.requireNonNullElse(check.name(), ""),
        Objects.requireNonNullElse(check.state(), ""),
        time(check.lastTransitionTime()),
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

  private static CheckStatus checkStatus(Check check, List<CheckStatus> old) {
    return old.stream()
        .filter(status -> check.equals(check(status)))
        .findFirst()
        .orElseGet(
            () ->
                new CheckStatus(
                    check.name(),
                    check.state().toString(),
                    check.lastTransitionTime().orElse(Instant.EPOCH).toString(),
                    check.message().isEmpty() ? null : check.message(),
                    check.requeueAfterSeconds().orElse(null),
                    check.retryCount()));
  }

  /** How far our clock is before the wall clock. */
  private Duration ahead() {
    return Duration.between(wall.instant(), clock.instant());
  }

  static boolean hasFinalizer(BackendPoolBinding binding) {
    return WatchedKind.present(binding.getMetadata().getFinalizers())
        .anyMatch(BackendPoolBinding.FINALIZER::equals);
  }

  /** The finalizers of other controllers. */
  static List<String> otherFinalizers(BackendPoolBinding binding) {
    return WatchedKind.present(binding.getMetadata().getFinalizers())
        .filter(finalizer -> !finalizer.equals(BackendPoolBinding.FINALIZER))
        .toList();
  }

  static BindingStatus status(BackendPoolBinding binding) {
    return Objects.requireNonNullElse(binding.getStatus(), NONE);
  }

  /** The object with another status and its own version, which guards the write. */
  static BackendPoolBinding withStatus(BackendPoolBinding read, BindingStatus status) {
    BackendPoolBinding copy = new BackendPoolBinding();
    copy.setMetadata(read.getMetadata());
    copy.setSpec(read.getSpec());
    copy.setStatus(status);
    return copy;
  }
}
