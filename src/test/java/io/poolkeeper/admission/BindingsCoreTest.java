package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.key;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.admission.BindingsEffect.Write;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What follows from bindings, and what is written to them. */
class BindingsCoreTest {
  private final BindingsStory story = new BindingsStory();
  private final BindingsWorld world = story.world;

  /** The Service web is on 10.0.0.4; 10.9.0.1 is somebody else's. */
  private void settled(String bindings) {
    story.plays("endpoints web 10.0.0.4\nforeign 10.9.0.1\n" + bindings + "\nbegin\nsettle");
  }

  @Test
  void newBinding_getsItsFinalizer_thenIsBound_thenHasItsAddresses_thenGoes() {
    story.plays("endpoints web 10.0.0.4\nforeign 10.0.0.5\nstore a web\nbegin -> mark?");

    story.plays(
        """
        settle -> a follows; a is Starting; +a; blue for web; a is InSync
        marked -> 10.0.0.4
        endpoints web 10.0.0.4 10.0.0.5
        settle
        marked -> 10.0.0.4
        delete a
        settle ~> blue leaving
        addresses -> 10.0.0.5
        bindings ->
        bound ->
        """);
  }

  @Test
  void report_ofAPoolAsDesired_saysSo() {
    settled("store a web");
    world.endpoints("web", "10.0.0.4", "10.0.0.5");

    world.settle();

    BindingReport report = world.effects(WriteStatus.class).getLast().report();
    assertThat(report.ready().status()).isEqualTo(Truth.TRUE);
    assertThat(report.admitted().status()).isEqualTo(Truth.TRUE);
    assertThat(report.throttled().status()).isEqualTo(Truth.FALSE);
    assertThat(report.pool()).contains(POOL);
    BindingReport.Shown shown = report.shown().orElseThrow();
    assertThat(shown.inPool()).isEqualTo(addresses("10.0.0.4", "10.0.0.5", "10.9.0.1"));
    assertThat(shown.desired()).isEqualTo(addresses("10.0.0.4", "10.0.0.5"));
    assertThat(shown.added()).isEqualTo(addresses("10.0.0.4", "10.0.0.5"));
  }

  @Test
  void inactiveBinding_leavesItsAddresses_andIsNotBound_untilItIsDeleted() {
    settled("store a web");

    story.plays("inactive a\nsettle ~> blue free\nbound ->\nmarked -> 10.0.0.4");

    story.plays("delete a\nsettle\naddresses -> 10.9.0.1");
  }

  @Test
  void check_thatIsNotReady_holdsThePool_untilItIs_butNoDeletion() {
    settled("store a web freeze");

    story.plays(
        """
        bound -> blue for web held: shop/a: waiting for freeze (Pending)
        marked ->
        check a freeze:Ready
        settle ~> blue for web
        bound -> blue for web
        marked -> 10.0.0.4
        check a freeze:Rejected
        settle ~> held: shop/a: rejected by freeze (Rejected)
        delete a
        settle
        marked ->
        bindings ->
        """);
  }

  @Test
  void standby_bindsAndWritesNothing_untilItLeads() {
    new BindingsStory(false)
        .plays("hears a web finalizer -> a follows\nsynced ->\nmark ->")
        .plays("lead -> blue for web; a is Starting");
  }

  @Test
  void mark_thatCannotBeRead_isReadAgainWithBackoff_andNothingIsBoundBefore() {
    BindingView made = view("a", "web");
    story.hear(with(made, false, made.deleted(), true, made.admission()));
    story.plays("synced -> a follows\npass 0s -> mark?");

    // Equal jitter, drawn at 0: half of the delay.
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      story.plays("pass 0s ->\nnomark ->");
      world.pass(Duration.ofMillis(seconds * 500L - 1));
      story.plays("pass 0.001s -> mark?");
    }

    story.plays("mark ~> +a");
  }

  @Test
  void lostWatch_holdsPoolsWithChecksOnly_andBeginsAndWritesNothing() {
    settled("store a web freeze\nstore b web pool=green");

    story.plays(
        """
        check a freeze:Ready
        settle
        lost -> blue for web held: the watch of the bindings is lost
        hears c web finalizer pool=red -> c follows
        bound -> blue for web held: the watch of the bindings is lost; green for web
        synced ~> blue for web
        bound -> blue for web; green for web; red for web
        """);
  }

  @Test
  void checkerThatAnswersRetryAtOnce_isAskedAgainOnceASecond() {
    settled("store a web freeze");

    story.plays("check a freeze:Retry\ngo ~> a is Held reset");
    story.plays("check a freeze:Retry\ngo ->\n".repeat(9));

    story.plays("pass 1s ~> a is Held reset");
  }

  @Test
  void conflict_writesNothing_andIsDecidedAnewFromTheNewerVersion() {
    settled("store a web freeze");

    story.plays(
        """
        check a freeze:Retry
        hear a ~> a is Held reset
        check a freeze:Ready
        go
        marked -> 10.0.0.4
        """);

    assertThat(CheckWords.words(world.binding("a").admission().reported()))
        .as("no reset has come over it")
        .startsWith("freeze:Ready");
  }

  /** Each change of somebody else makes a conflict: no reason to try ever faster. */
  @Test
  void statusThatIsRefusedAgainAndAgain_isTriedOnceASecond() {
    settled("store a web freeze");
    int tries = 0;
    for (int tenth = 0; tenth < 30; tenth++) {
      story.hear(world.change("a", true, CheckWords.checks("freeze:Retry").getFirst()));
      List<WriteStatus> begun = world.effects(WriteStatus.class);
      tries += begun.size();
      begun.forEach(
          write ->
              world.send(
                  new BindingsEvent.Written(
                      write.key(), write.version(), new WriteAnswer.Conflict())));
      world.pass(Duration.ofMillis(100));
    }

    assertThat(tries).isEqualTo(3);
  }

  @Test
  void failedWrite_isRepeatedWithBackoff() {
    story.plays("begin\ngo\nhears a web -> a follows; +a");

    // Equal jitter, drawn at 0: half of the delay.
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      story.plays("fails a ->");
      world.pass(Duration.ofMillis(seconds * 500L - 1));
      assertThat(story.told()).isEmpty();
      story.plays("pass 0.001s -> +a");
    }
  }

  /** Of those anybody may make many, and change them all the time. */
  @Test
  void refusedBinding_getsItsStatusOnceIn30Seconds() {
    settled("store evil/a web");
    int writes = 0;
    for (int second = 0; second < 90; second++) {
      world.change("evil/a", true, CheckWords.checks("freeze:Ready").getFirst());
      world.goOn();
      writes += world.effects(WriteStatus.class).size();
      world.pass(Duration.ofSeconds(1));
    }

    assertThat(writes).isEqualTo(3);
  }

  @Test
  void failover_writesNothing_beforeThePoolIsShown_andThenWhatIsNew() {
    settled("store a web");
    world.crash();
    String before = world.binding("a").version();
    StringBuilder told = new StringBuilder();

    while (!told.toString().contains("blue for web")) {
      world.goOnOnce();
      told.append(story.told());
    }

    assertThat(told.toString()).doesNotContain("a is");
    story.plays("pass 6000s ->");
    world.goOn();
    assertThat(world.effects(WriteStatus.class))
        .extracting(write -> write.version() + " " + write.report().ready().reason())
        .startsWith(before + " InSync");
  }

  @Test
  void event_ofOneBinding_beside1000OfItsPool_concernsNoOther() {
    settled("store a web");
    for (int i = 0; i < 1_000; i++) {
      world.store(view("z" + i, "web"));
    }
    story.plays("settle");

    BindingView one = world.binding("z500");
    story.plays("gone z500 ->");
    story.hear(with(one, true));
    assertThat(story.told()).endsWith("; z500 is Taken").doesNotContain("; a");
    story.plays("inactive a\nhear a -> blue free; a is Inactive");
  }

  /** The pool is missing and comes back, or has no actor. */
  @Test
  void pool_thatIsNotThereOrNotRead_isReported() {
    settled("store a web");

    story.plays("missing -> a is PoolNotFound\nsettle\nlisted -> a is InSync\nsettle");
    story.plays("forgotten -> a is Starting");
  }

  @Test
  void bindingThatIsInvalidOrOfAnotherPool_letsTheOneBeforeGo() {
    settled("store a web\nstore b web");

    story.hear(BindingFixtures.wrong(world.binding("a")));
    assertThat(story.told()).startsWith("a Invalid: spec.ipFamily: IPv5; blue free");
    story.plays("hear a ~> a follows; blue for web");
    story.plays("hears a web pool=green finalizer ~> blue free\nbound ~> green for web");
  }

  @Test
  void bindingMadeAnew_underTheNameOfOneThatWasBeingWritten_isWrittenAtOnce() {
    settled("");

    story.plays("hears a web -> a follows; +a\ngone a ->\nhears a web -> a follows; +a");
  }

  @Test
  void writeThatIsDone_isGoneOnFrom_beforeTheWatchBringsIt() {
    settled("");
    story.plays("hears a web");
    BindingView written = world.store(with(view("a", "web"), true));

    world.send(new BindingsEvent.Written(key("a"), "", new WriteAnswer.Done(written)));
    world.pass(Duration.ofSeconds(1));

    assertThat(world.effects(WriteStatus.class))
        .extracting(Write::version)
        .containsExactly(written.version());
  }

  @Test
  void versionThatWasRefused_isNotWrittenAgain() {
    settled("");

    story.plays("hears a web -> a follows; +a\nconflict a ->\nsynced ->");
  }

  @Test
  void paused_nothingIsWritten_andAllThatIsDueWhenThatEnds() {
    settled("store a web freeze");

    story.plays(
        """
        pause
        hears b web pool=green -> b follows
        check a freeze:Ready
        go -> blue for web
        pass 1h ->
        resume -> a is InSync; +b
        """);
  }

  @ParameterizedTest
  @CsvSource({"99s, 1s", "0s, 100s"})
  void reset_isDueWhenTheDelayIsOver_notBefore(String before, String then) {
    settled("store a web freeze");
    Check retry =
        new Check("freeze", Check.State.RETRY, Optional.of(world.now()), "", Optional.of(100), 0);
    world.change("a", true, retry);

    story.plays("go\npass " + before + " ->\npass " + then + " ~> a is Held reset");
  }

  @Test
  void stopped_decidesNothing() {
    settled("store a web freeze");

    story.plays("stop\nlost ->");
    assertThat(world.state().wakeAt()).isEmpty();
  }
}
