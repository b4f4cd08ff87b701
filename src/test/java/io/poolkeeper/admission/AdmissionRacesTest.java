package io.poolkeeper.admission;

import static io.poolkeeper.admission.Check.State.RETRY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The integration tests of spec 5's plan and the races of its notes, with a controller, checkers
 * and an API server that refuses a write for an old version.
 */
class AdmissionRacesTest {
  static final List<Arguments> RACES =
      List.of(
          arguments(
              "a checker sets retry delays, from pending to ready",
              "a",
              """
              retry a 10; reconcile -> Held until 10; pass 10; reconcile -> Held;
              checks -> a Pending 1; ready a; reconcile -> Admitted; checks -> a Ready 0
              """),
          arguments(
              "several checks with different delays, are reset together at the latest end",
              "one five ten",
              """
              retry one 1; retry five 5; retry ten 10;
              reconcile -> Held until 10; pass 9; reconcile -> Held until 10; pass 1;
              resets -> 0; reconcile; resets -> 1;
              checks -> five Pending 1, one Pending 1, ten Pending 1
              """),
          arguments(
              "retry cycles with delays, count until the check is ready",
              "a",
              """
              retry a 1; pass 1; reconcile; checks -> a Pending 1; retry a 2; pass 1;
              reconcile -> Held until 3; pass 1; reconcile; checks -> a Pending 2;
              ready a; reconcile; checks -> a Ready 0
              """),
          arguments(
              "late answer, extends the wait that runs",
              "a b",
              """
              retry b 60; reconcile -> Held until 60; pass 50; retry a 120;
              reconcile -> Held until 170; pass 119; reconcile; resets -> 0; pass 1;
              reconcile; resets -> 1; checks -> a Pending 1, b Pending 1
              """),
          arguments(
              "late answer after the reset, holds again and is reset in its turn",
              "a b",
              """
              retry b 60; pass 60; reconcile; resets -> 1; retry a 120; ready b;
              reconcile -> Held until 180; pass 120; reconcile;
              checks -> a Pending 1, b Pending 0
              """),
          arguments(
              "answer while the reset is under way, makes it aConflict and is decided anew",
              "a b",
              """
              retry a 10; pass 10; read; retry b 30; write -> conflict;
              checks -> a Retry 0, b Retry 0; reconcile -> Held until 40; resets -> 0
              """),
          arguments(
              "ready while the reset is under way, is not lost",
              "a",
              """
              retry a 10; pass 10; read; ready a; write -> conflict;
              reconcile -> Admitted
              """),
          // The eight numbered steps of spec 5, at whose end a workload was stuck: from the sixth
          // on.
          arguments(
              "retry set again right after the reset, is never stuck",
              "a",
              """
              retry a; reconcile; checks -> a Pending 1; retry a; reconcile;
              checks -> a Pending 2; ready a; reconcile -> Admitted
              """),
          // Steps 10 to 14 of the second diagram: the fastest answer decided the delay.
          arguments(
              "fastest answer, does not decide the delay",
              "ac1 ac2",
              """
              retry ac2 60; reconcile; retry ac1 120; reconcile -> Held until 120;
              pass 60; reconcile -> Held until 120; resets -> 0
              """),
          // The caveat of spec 5: cycles that are not needed, and nothing worse.
          arguments(
              "fast check without delay, costs aCycle and the slow one still holds",
              "fast slow",
              """
              retry fast; reconcile; retry slow 60; retry fast;
              reconcile -> Held until 60; resets -> 1; pass 60; reconcile;
              checks -> fast Pending 2, slow Pending 1
              """),
          arguments(
              "retry taken back, ends the wait at once",
              "a b",
              """
              ready b; retry a 600; reconcile -> Held until 600; ready a;
              reconcile -> Admitted
              """),
          arguments(
              "rejected, holds until the check changes its mind",
              "a b",
              """
              retry b 1; rejected a; pass 100; reconcile -> Rejected; resets -> 0;
              retry a 5; reconcile -> Held until 105
              """),
          arguments(
              "rejected, holds until the spec changes",
              "a b",
              """
              rejected a; ready b; reconcile -> Rejected; list b c; reconcile -> Held;
              checks -> b Pending 0, c Pending 0
              """),
          arguments(
              "inactive and active again, starts clean",
              "a b",
              """
              ready b; retry a 600; pass 600; reconcile; retry a 600; inactive;
              reconcile -> Inactive; checks ->; active; reconcile -> Held;
              checks -> a Pending 0, b Pending 0
              """),
          arguments(
              "inactive unseen, and active again, starts clean all the same",
              "a",
              """
              ready a; reconcile; inactive; active; reconcile -> Held;
              checks -> a Pending 0
              """),
          arguments(
              "answer to an inactive binding, counts for nothing",
              "a",
              """
              inactive; reconcile; ready a; active; reconcile -> Held;
              checks -> a Pending 0
              """),
          arguments(
              "deletion, is held by no check",
              "a b",
              """
              rejected a; retry b 600; reconcile -> Rejected; delete;
              reconcile -> Admitted
              """),
          arguments(
              "admitted pool, is held again when aReady check says retry",
              "a",
              """
              ready a; reconcile -> Admitted; pass 1000; retry a 30;
              reconcile -> Held until 1030; checks -> a Retry 0
              """));

  /**
   * A race.
   *
   * @param checks that the binding lists
   */
  @ParameterizedTest(name = "{0}")
  @FieldSource("RACES")
  void race(String name, String checks, String events) {
    AdmissionRig.listing(checks.split(" ", -1)).plays(events);

    assertThat(events).as(name).contains("->");
  }

  /** The process dies, with all that it knows of what it has read and written. */
  @Test
  void restartInTheMiddleOfAWait_forgetsNothing() {
    BindingsStory story = new BindingsStory();
    story.world.store(BindingFixtures.view("x", "web", "a", "b"));
    story.plays("begin\nsettle");
    Instant asked = story.world.now();
    story.world.change("x", true, retry("a", asked, 10), retry("b", asked, 5));

    story.plays(
        """
        go
        pass 7s
        crash
        go !> reset
        pass 2s
        crash
        go !> reset
        pass 1s ~> x is Starting reset
        go !> reset
        crash
        settle !> reset
        """);

    assertThat(story.world.binding("x").admission().reported())
        .extracting(check -> check.name() + " " + check.state() + " " + check.retryCount())
        .containsExactlyInAnyOrder("a Pending 1", "b Pending 1");
  }

  private static Check retry(String name, Instant since, int seconds) {
    return new Check(name, RETRY, Optional.of(since), "", Optional.of(seconds), 0);
  }
}
