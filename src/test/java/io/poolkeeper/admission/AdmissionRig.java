package io.poolkeeper.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A controller, checkers and an API server with one binding, in virtual time. */
final class AdmissionRig {
  final FakeBinding binding;
  private final AdmissionChecks controller;
  private Optional<FakeBinding.Version> read = Optional.empty();
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

  /** One event after the other, and what comes of it: {@code retry a; reconcile -> Held}. */
  void plays(String events) {
    for (String event : events.strip().split(";\\s+", -1)) {
      line(event);
    }
  }

  private void line(String line) {
    String[] parts = line.split(" ->", -1);
    String[] words = parts[0].split(" ", -1);
    String said = happens(words[0], List.of(words).subList(1, words.length));
    assertThat(said).as(line).isEqualTo(parts.length > 1 ? parts[1].strip() : said);
  }

  private String happens(String what, List<String> of) {
    switch (what) {
      case "ready" -> ready(of.getFirst());
      case "rejected" -> rejected(of.getFirst());
      case "retry" -> retry(of.getFirst(), of.size() > 1 ? Integer.valueOf(of.get(1)) : null);
      case "pass" -> pass(Integer.parseInt(of.getFirst()));
      case "list" -> binding.list(before -> of);
      case "inactive" -> binding.activate(false);
      case "active" -> binding.activate(true);
      case "delete" -> binding.delete();
      case "read" -> read = Optional.of(binding.read());
      default -> {
        return says(what);
      }
    }
    return "";
  }

  private String says(String what) {
    return switch (what) {
      case "reconcile" -> CheckWords.brief(reconcile());
      case "write" -> {
        FakeBinding.Version version = read.orElseThrow();
        yield write(version, decide(version)) ? "written" : "conflict";
      }
      case "checks" ->
          binding.checks().stream()
              .map(check -> check.name() + " " + check.state() + " " + check.retryCount())
              .sorted()
              .collect(Collectors.joining(", "));
      case "resets" -> "" + resets;
      default -> throw new IllegalArgumentException(what);
    };
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
    binding.answer(name, Check.State.READY, null, now);
  }

  void rejected(String name) {
    binding.answer(name, Check.State.REJECTED, null, now);
  }

  /** Null: at once. */
  void retry(String name, Integer seconds) {
    binding.answer(name, Check.State.RETRY, seconds, now);
  }

  void pass(int seconds) {
    now = now.plus(Duration.ofSeconds(seconds));
  }

  Check.State state(String name) {
    return binding.check(name).state();
  }

  int retries(String name) {
    return binding.check(name).retryCount();
  }
}
