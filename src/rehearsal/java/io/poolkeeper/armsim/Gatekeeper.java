package io.poolkeeper.armsim;

import io.poolkeeper.armsim.ArmLogEntry.By;
import io.poolkeeper.armsim.fault.Behavior;
import io.poolkeeper.armsim.fault.FaultRule.Reset;
import io.poolkeeper.armsim.fault.Faults;
import io.poolkeeper.armsim.fault.LroFault;
import io.poolkeeper.armsim.fault.StandardErrors;
import io.poolkeeper.armsim.model.Deviation;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Terms;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.throttle.Request;
import io.poolkeeper.armsim.throttle.ThrottleDecision;
import io.poolkeeper.armsim.throttle.ThrottleDecision.Remaining;
import io.poolkeeper.armsim.throttle.Throttles;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what happens to a request before the model: throttles first, then rights, then at most
 * one fault rule (not for refused requests), then the effect of an earlier rule on a polled
 * operation. Imports no actor and reads no clock. Confined to one thread.
 */
final class Gatekeeper {
  private static final int SPOILED_LIMIT = 20_000;

  private final Behavior initial;
  final Faults faults = new Faults();
  final Rights rights = new Rights();
  private final Map<String, SavedState.Spoiled> spoiled = new LinkedHashMap<>();
  private Behavior behavior;
  private Throttles throttles;

  /** A request, the decision on its arrival, and the answer if it asks what its caller may do. */
  record Passage(
      Request request,
      Remaining remaining,
      Optional<Instead> refusal,
      Optional<ArmAnswer> permissions,
      Optional<Faults.Taken> fault) {

    Duration delay() {
      return fault.map(Faults.Taken::delay).orElse(Duration.ZERO);
    }

    /** How long the answer is withheld once it is known. */
    Duration withheld() {
      return fault.map(taken -> taken.rule().withheld()).orElse(Duration.ZERO);
    }

    Reset reset() {
      return fault.map(taken -> taken.rule().reset()).orElse(Reset.NONE);
    }

    By by() {
      return new By(false, fault.map(Faults.Taken::id), Optional.empty());
    }
  }

  record Instead(ArmAnswer answer, By by) {}

  Gatekeeper(Behavior initial) {
    this.initial = initial;
    this.behavior = initial;
    this.throttles = new Throttles(initial.throttle());
  }

  Behavior behavior() {
    return behavior;
  }

  /** Changes the behavior. Throttles with changed settings start empty. */
  void behave(Behavior other) {
    if (!other.throttle().equals(behavior.throttle())) {
      throttles = new Throttles(other.throttle());
    }
    behavior = other;
  }

  /** Clears all rules and requests, and restores the rights and the behavior of the start. */
  void reset() {
    faults.clear();
    rights.clear();
    spoiled.clear();
    behavior = initial;
    throttles = new Throttles(initial.throttle());
  }

  List<SavedState.Spoiled> spoiled() {
    return List.copyOf(spoiled.values());
  }

  void restore(List<SavedState.Spoiled> before) {
    before.forEach(this::spoil);
  }

  /** Counts a request that arrived at a monotonic time. */
  Passage arrive(Request request, String method, ArmCall call, Caller caller, long nanos) {
    ThrottleDecision admission = throttles.admit(request, nanos);
    Optional<Instead> refusal =
        admission
            .refusal()
            .map(
                one ->
                    new Instead(
                        one.answer(), new By(false, Optional.empty(), Optional.of(one.by()))))
            .or(() -> rights.refusal(caller, call).map(lacking -> new Instead(lacking, By.MODEL)));
    return new Passage(
        request,
        admission.remaining(),
        refusal,
        rights.permissions(caller, call),
        refusal.isPresent() ? Optional.empty() : faults.take(method, call.rawPath()));
  }

  /** The answer instead of the model's, if there is one. Call it once per request. */
  Optional<Instead> instead(Passage passage, ArmCall call, Instant now) {
    if (passage.refusal().isPresent()) {
      Instead refusal = passage.refusal().get();
      return Optional.of(new Instead(formed(refusal.answer(), now), refusal.by()));
    }
    Optional<Faults.Taken> answering =
        passage.fault().filter(taken -> taken.rule().status().isPresent());
    if (answering.isPresent()) {
      Faults.Taken taken = answering.get();
      ArmAnswer answer = StandardErrors.answer(taken.rule(), call, passage.request(), now);
      return Optional.of(new Instead(answer, ruled(taken.id())));
    }
    return passage
        .permissions()
        .map(answer -> new Instead(answer, passage.by()))
        .or(() -> call.path().operation().flatMap(id -> poll(id, passage, call, now)));
  }

  private Optional<Instead> poll(String operation, Passage passage, ArmCall call, Instant now) {
    Optional<SavedState.Spoiled> refusing =
        Optional.ofNullable(spoiled.get(operation)).filter(found -> found.polls() > 0);
    if (refusing.isEmpty() || call.method() != ArmCall.Method.GET) {
      return Optional.empty();
    }
    SavedState.Spoiled found = refusing.get();
    spoiled.put(operation, found.polled());
    int status = found.fault().pollStatus().orElse(500);
    ArmAnswer answer = StandardErrors.poll(status, found.by(), call, passage.request(), now);
    return Optional.of(new Instead(answer, ruled(found.rule())));
  }

  private static By ruled(long rule) {
    return new By(true, Optional.of(rule), Optional.empty());
  }

  /** An answer of the model or a throttle with the chosen form of {@code Retry-After}. */
  ArmAnswer formed(ArmAnswer answer, Instant now) {
    return behavior.retryAfter().applied(answer, now);
  }

  Terms terms(Passage passage) {
    Fate fate = passage.fault().map(taken -> taken.rule().fate()).orElse(Fate.APPLIED);
    return new Terms(
        behavior.contention(),
        behavior.contentionRetrySeconds(),
        behavior.parentAddresses(),
        behavior.updatingShown(),
        behavior.deviations(),
        fate);
  }

  /** The remaining calls, if answers show them. */
  Optional<Remaining> remaining(Passage passage) {
    return Optional.of(passage.remaining())
        .filter(any -> !behavior.deviations().contains(Deviation.QUOTA_HEADERS_ABSENT));
  }

  void handled(Passage passage, Handled handled) {
    if (passage.fault().isEmpty()) {
      return;
    }
    Faults.Taken taken = passage.fault().get();
    boolean inVain = taken.rule().lost() ? !handled.accepted() : handled.started().isEmpty();
    if (taken.rule().needsAcceptedWrite() && inVain) {
      faults.giveBack(taken);
    } else if (taken.rule().lro().isPresent()) {
      LroFault fault = taken.rule().lro().get();
      int polls = fault.pollStatus().isPresent() ? fault.polls() : 0;
      String operation = handled.started().orElseThrow();
      spoil(new SavedState.Spoiled(operation, taken.id(), taken.rule(), polls));
    }
  }

  private void spoil(SavedState.Spoiled one) {
    spoiled.put(one.operation(), one);
    if (spoiled.size() > SPOILED_LIMIT) {
      spoiled.remove(spoiled.keySet().iterator().next());
    }
  }

  Optional<Duration> runs(String operation) {
    return Optional.ofNullable(spoiled.get(operation)).flatMap(found -> found.fault().runs());
  }

  Optional<Outcome> outcome(String operation) {
    return Optional.ofNullable(spoiled.get(operation))
        .map(found -> found.fault().outcome())
        .orElseGet(() -> Optional.of(new Outcome.Succeeded()));
  }
}
