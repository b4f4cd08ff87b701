package io.poolkeeper.admission;

import static io.poolkeeper.admission.Check.State.READY;
import static io.poolkeeper.admission.Check.State.REJECTED;
import static io.poolkeeper.admission.Check.State.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.Admission.Admitted;
import io.poolkeeper.admission.Admission.Rejected;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * All orders of answers of two checks, expiries, and resets, the read and the write of which are
 * apart. After each order the checks say no more, time passes, and nothing may be stuck. Orders
 * that lead to the same state are followed once.
 */
class AdmissionHistoriesTest {
  private static final int STEPS = 7;

  private static final AdmissionChecks CORE =
      new AdmissionChecks(AdmissionLimits.SHIPPED, List.of());

  private enum Step {
    A_READY,
    A_RETRY_AT_ONCE,
    A_RETRY_1,
    B_READY,
    B_RETRY_2,
    B_REJECTED,
    SECOND,
    READ,
    WRITE
  }

  /** All that the future depends on; a read either is of the newest version or will conflict. */
  private record State(
      List<Check> checks,
      Optional<AdmissionSubject> read,
      boolean newest,
      Instant now,
      Map<String, Integer> counts,
      Map<String, Check.State> unseen,
      int left) {}

  /** What is required is kept beside the object and not taken from it. */
  private static final class History {
    final FakeBinding binding;
    final Map<String, Integer> counts;
    final Map<String, Check.State> unseen;
    Instant now;
    Optional<FakeBinding.Version> read;

    History() {
      this(
          new FakeBinding("a", "b"),
          Map.of("a", 0, "b", 0),
          Map.of(),
          FakeBinding.START,
          Optional.empty());
      happen(Step.READ);
      happen(Step.WRITE);
    }

    private History(
        FakeBinding binding,
        Map<String, Integer> counts,
        Map<String, Check.State> unseen,
        Instant now,
        Optional<FakeBinding.Version> read) {
      this.binding = binding.copy();
      this.counts = new HashMap<>(counts);
      this.unseen = new HashMap<>(unseen);
      this.now = now;
      this.read = read;
    }

    History copy() {
      return new History(binding, counts, unseen, now, read);
    }

    State state(int left) {
      boolean newest = read.filter(this::isNewest).isPresent();
      return new State(
          binding.checks(),
          read.map(FakeBinding.Version::subject),
          newest,
          now,
          Map.copyOf(counts),
          Map.copyOf(unseen),
          left);
    }

    private boolean isNewest(FakeBinding.Version version) {
      return binding.read().number() == version.number();
    }

    void happen(Step step) {
      switch (step) {
        case A_READY -> answer("a", READY, null);
        case A_RETRY_AT_ONCE -> answer("a", RETRY, null);
        case A_RETRY_1 -> answer("a", RETRY, 1);
        case B_READY -> answer("b", READY, null);
        case B_RETRY_2 -> answer("b", RETRY, 2);
        case B_REJECTED -> answer("b", REJECTED, null);
        case SECOND -> now = now.plusSeconds(1);
        case READ -> read = Optional.of(binding.read());
        case WRITE -> read.ifPresent(this::write);
      }
    }

    private void answer(String name, Check.State state, Integer seconds) {
      binding.answer(name, state, seconds, now);
      unseen.put(name, state);
    }

    private void write(FakeBinding.Version version) {
      read = Optional.empty();
      AdmissionDecision decision = CORE.decide(version.subject(), now);
      List<Check> reported = version.subject().reported();
      require(
          decision.admission() instanceof Admitted == in(READY, reported) > 1,
          "admitted exactly if both are Ready");
      boolean newest = isNewest(version);
      decision
          .update()
          .ifPresent(
              update ->
                  require(binding.update(version, update) == newest, "conflict if it was changed"));
      if (newest) {
        unseen.clear();
        count(reported, decision.update().filter(AdmissionDecision.Update::reset).isPresent());
      }
      for (Check check : binding.checks()) {
        require(check.retryCount() == counts.get(check.name()), "the count is right");
      }
      unseen.forEach(
          (name, state) -> require(binding.check(name).state() == state, "no answer is lost"));
    }

    private void count(List<Check> reported, boolean reset) {
      for (Check check : reported) {
        boolean counts = reset && check.state() == RETRY;
        Instant end = check.lastTransitionTime().orElseThrow().plus(check.delay());
        require(!(counts && end.isAfter(now)), "no reset before its time");
        this.counts.compute(
            check.name(), (name, n) -> check.state() == READY ? 0 : n + (counts ? 1 : 0));
      }
    }

    private static long in(Check.State state, List<Check> checks) {
      return checks.stream().filter(check -> check.state() == state).count();
    }

    /** The checks are silent, and the controller goes on. */
    void end() {
      for (int i = 0; i < 3; i++) {
        happen(Step.READ);
        happen(Step.WRITE);
        happen(Step.SECOND);
      }
      List<Check> checks = binding.checks();
      boolean rejected = in(REJECTED, checks) > 0;
      require(in(RETRY, checks) == 0 || rejected, "never stuck");
      AdmissionDecision decision = CORE.decide(binding.read().subject(), now);
      require(decision.update().isEmpty(), "settled");
      require(
          decision.admission() instanceof Rejected == rejected, "rejected exactly if a check is");
    }

    /** Not AssertJ: there are millions. */
    private static void require(boolean condition, String what) {
      if (!condition) {
        throw new AssertionError("broken: " + what);
      }
    }
  }

  @Test
  void everyOrder_losesNoAnswer_admitsOnlyAllReady_countsRight_andIsNeverStuck() {
    Set<State> seen = new HashSet<>();
    follow(new History(), seen, new ArrayDeque<>());
    assertThat(seen.size()).as("states").isEqualTo(31_457);
  }

  private static void follow(History history, Set<State> seen, Deque<Step> order) {
    if (!seen.add(history.state(STEPS - order.size()))) {
      return;
    }
    try {
      history.copy().end();
      for (Step step : order.size() < STEPS ? Step.values() : new Step[0]) {
        order.addLast(step);
        History next = history.copy();
        next.happen(step);
        follow(next, seen, order);
        order.removeLast();
      }
    } catch (AssertionError broken) {
      boolean named = broken.getMessage().startsWith("[");
      throw named ? broken : new AssertionError(order + " " + broken.getMessage(), broken);
    }
  }
}
