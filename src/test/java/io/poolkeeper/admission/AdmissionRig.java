package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A controller, checkers and an API server with one binding, in virtual time. */
final class AdmissionRig {
  final FakeBinding binding;
  private final AdmissionChecks controller;
  Instant now = FakeBinding.START;

  /** How often all checks were asked again. */
  int resets;

  AdmissionRig(List<String> defaults, String... listed) {
    controller = new AdmissionChecks(AdmissionLimits.SHIPPED, defaults);
    binding = new FakeBinding(listed);
    reconcile();
  }

  static AdmissionRig listing(String... names) {
    return new AdmissionRig(List.of(), names);
  }

  /** The controller reads, decides and writes; what holds for the object it has left. */
  Admission reconcile() {
    FakeBinding.Version read = binding.read();
    AdmissionDecision decision = decide(read);
    write(read, decision);
    return decision.admission();
  }

  AdmissionDecision decide(FakeBinding.Version read) {
    return controller.decide(read.subject(), now);
  }

  /** False: a conflict. */
  boolean write(FakeBinding.Version read, AdmissionDecision decision) {
    Optional<AdmissionDecision.Update> update = decision.update();
    boolean written = update.isEmpty() || binding.update(read, update.get());
    resets += written && update.isPresent() && update.get().reset() ? 1 : 0;
    return written;
  }

  void ready(String name) {
    binding.answer(name, CheckState.READY, null, now);
  }

  void rejected(String name) {
    binding.answer(name, CheckState.REJECTED, null, now);
  }

  /** Null: at once. */
  void retry(String name, Integer seconds) {
    binding.answer(name, CheckState.RETRY, seconds, now);
  }

  void pass(int seconds) {
    now = now.plus(Duration.ofSeconds(seconds));
  }

  CheckState state(String name) {
    return binding.check(name).state();
  }

  int retries(String name) {
    return binding.check(name).retryCount();
  }
}
