package io.poolkeeper.admission;

import static io.poolkeeper.admission.CheckState.READY;
import static io.poolkeeper.admission.CheckState.REJECTED;
import static io.poolkeeper.admission.CheckState.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.Admission.Admitted;
import io.poolkeeper.admission.Admission.Rejected;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * All orders of answers of two checks, expiries, and resets, the read and the write of which are
 * apart. After each order the checks say no more, time passes, and nothing may be stuck.
 */
class AdmissionOrdersTest {
  private static final int STEPS = 6;

  /** Eight of nine steps are possible at any time. */
  private static final int ORDERS = 8 * 8 * 8 * 8 * 8 * 8;

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

  /** One order, watched: what is asserted is kept beside the object and not taken from it. */
  private static final class History {
    final AdmissionRig rig = AdmissionRig.listing("a", "b");
    final Map<String, Integer> counts = new HashMap<>(Map.of("a", 0, "b", 0));
    final Map<String, CheckState> unseen = new HashMap<>();
    Optional<FakeBinding.Version> read = Optional.empty();

    void happen(Step step) {
      switch (step) {
        case A_READY -> answer("a", READY, null);
        case A_RETRY_AT_ONCE -> answer("a", RETRY, null);
        case A_RETRY_1 -> answer("a", RETRY, 1);
        case B_READY -> answer("b", READY, null);
        case B_RETRY_2 -> answer("b", RETRY, 2);
        case B_REJECTED -> answer("b", REJECTED, null);
        case SECOND -> rig.pass(1);
        case READ -> read = Optional.of(rig.binding.read());
        case WRITE -> read.ifPresent(this::write);
      }
    }

    private void answer(String name, CheckState state, Integer seconds) {
      rig.binding.answer(name, state, seconds, rig.now);
      unseen.put(name, state);
    }

    private void write(FakeBinding.Version version) {
      read = Optional.empty();
      AdmissionDecision decision = rig.decide(version);
      List<Check> reported = version.subject().reported();
      require(
          decision.admission() instanceof Admitted == allReady(reported),
          "admitted exactly if all are Ready");
      boolean current = rig.binding.read().number() == version.number();
      require(
          rig.write(version, decision) == (current || decision.update().isEmpty()),
          "written exactly if nothing happened since");
      if (current) {
        unseen.clear();
        count(reported, decision.update().filter(AdmissionDecision.Update::reset).isPresent());
      }
      for (Check check : rig.binding.checks()) {
        require(check.retryCount() == counts.get(check.name()), "the count is right");
      }
      unseen.forEach((name, state) -> require(rig.state(name) == state, "no answer is lost"));
    }

    private void count(List<Check> reported, boolean reset) {
      for (Check check : reported) {
        boolean counts = reset && check.is(RETRY);
        Instant end = check.lastTransitionTime().orElseThrow().plus(check.delay());
        require(!(counts && end.isAfter(rig.now)), "no reset before its time");
        this.counts.compute(check.name(), (name, n) -> check.is(READY) ? 0 : n + (counts ? 1 : 0));
      }
    }

    private static boolean allReady(List<Check> checks) {
      return checks.stream().allMatch(check -> check.is(READY));
    }

    /** The controller goes on alone. */
    Set<CheckState> end() {
      for (int i = 0; i < 3; i++) {
        happen(Step.READ);
        happen(Step.WRITE);
        rig.now = rig.now.plus(Duration.ofSeconds(1));
      }
      Set<CheckState> states = EnumSet.noneOf(CheckState.class);
      rig.binding.checks().forEach(check -> states.add(check.state()));
      return states;
    }
  }

  @Test
  void everyOrder_losesNoAnswer_admitsOnlyAllReady_countsRight_andIsNeverStuck() {
    int orders = 0;
    Step[] order = new Step[STEPS];
    for (int code = 0; code < Math.pow(Step.values().length, STEPS); code++) {
      for (int i = 0, rest = code; i < STEPS; i++, rest /= Step.values().length) {
        order[i] = Step.values()[rest % Step.values().length];
      }
      if (makesSense(order)) {
        happen(order);
        orders++;
      }
    }
    assertThat(orders).isEqualTo(ORDERS);
  }

  /** What is read is written once; other orders are the same as shorter ones. */
  private static boolean makesSense(Step[] order) {
    boolean read = false;
    for (Step step : order) {
      if (step == Step.READ ? read : step == Step.WRITE && !read) {
        return false;
      }
      read = step == Step.READ || (read && step != Step.WRITE);
    }
    return true;
  }

  private static void happen(Step[] order) {
    History history = new History();
    try {
      for (Step step : order) {
        history.happen(step);
      }
      Set<CheckState> states = history.end();
      require(!states.contains(RETRY) || states.contains(REJECTED), "never stuck");
      FakeBinding.Version last = history.rig.binding.read();
      AdmissionDecision decision = history.rig.decide(last);
      require(decision.update().isEmpty(), "settled");
      require(
          decision.admission() instanceof Rejected == states.contains(REJECTED),
          "rejected exactly if a check is");
    } catch (AssertionError broken) {
      throw new AssertionError("%s %s".formatted(List.of(order), broken.getMessage()), broken);
    }
  }

  /** Not AssertJ: there are millions. */
  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError("broken: " + what);
    }
  }
}
