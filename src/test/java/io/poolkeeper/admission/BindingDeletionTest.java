package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a binding that is deleted is let go, by the core's events alone; it leads since T0. */
class BindingDeletionTest {
  private static final String FOLLOWED = "hears a web finalizer\nmark\nsynced\n";
  private static final String HALF_AN_HOUR = "pass 1799.999s !> -a\npass 0.001s ~> -a\n";

  private final BindingsStory story = new BindingsStory().answering();

  @Test
  void finalizer_goesOnlyAfterARead_thatBeganWhenTheDeletionWasHeard_orLater() {
    story.plays(FOLLOWED + "pass 600s\ndeletes a -5s ~> blue leaving; a is Deleting");

    story.plays("shown -0.001s !> -a\npass 5s\nshown 10.0.0.4 !> -a\nshown -5s ~> -a");
  }

  /** A write of the leader before may come until then, though the pool is clean now. */
  @Test
  void finalizer_ofANewLeader_waitsUntilNoWriteOfTheOneBeforeCanArrive() {
    story.plays("deletes a -5s\nmark\nsynced ~> blue leaving in 60 s");

    story.plays("pass 59.999s\nshown 0s !> -a\npass 0.001s\nshown 0s ~> -a");
  }

  @Test
  void finalizer_goesAtOnce_ifAnotherBindingOwnsThePool() {
    story.plays("hears b web finalizer\n" + FOLLOWED);

    story.plays("deletes b 0s ~> -b\nbound -> blue for web");
  }

  /** But not if it says nothing of the pool. */
  @Test
  void finalizer_goesAtOnce_ifAListingShowsThatThePoolIsMissing() {
    story.plays(FOLLOWED + "deletes a 0s !> -a\nlisted !> -a\nforgotten !> -a");

    story.plays("missing ~> -a\nbound ->");
  }

  @Test
  void finalizer_ofAPoolOutOfReach_goes30MinutesAfterTheDeletion_withOneWarning() {
    story.plays(FOLLOWED + "pass 600s\ndeletes a 0s\nshown 10.0.0.4 10.0.0.5 !> -a");

    story.plays(
        """
        pass 1799.999s !> -a
        pass 0.001s ~> type=WARNING, reason=BackendPoolEntriesLeftBehind, message=Gave up after \
        30 minutes: the entries named *%s (2 when it was read last) could not be removed from \
        the pool %s. Remove them by hand.
        pass 1800s ->
        """
            .formatted(FakePool.MARK, POOL.path()));
  }

  /** Many deletions at one load balancer take longer than that, and Azure is well. */
  @Test
  void finalizer_ofAPoolThatWaitsForItsPermit_staysUntilThePoolIsClean() {
    story.plays(FOLLOWED + "deletes a 0s");
    story.world.send(shown("Waiting", Optional.empty()));

    story.plays("pass 7200s !> -a");
    story.world.send(shown("Reading", Optional.of(new ArmFailure(Kind.RESPONSE, 500, "x", ""))));
    story.plays("pass 60s ~> -a");
  }

  private static BindingsEvent shown(String state, Optional<ArmFailure> failure) {
    Set<Address> left = BindingFixtures.addresses("10.0.0.4");
    return new BindingsEvent.PoolShown(
        BindingFixtures.status(Map.of(), state, failure, left, left, Optional.empty(), false));
  }

  /** After the leader's start, as it knows nothing of what was before; or without a mark. */
  @ParameterizedTest
  @ValueSource(strings = {"deletes a -5h\nmark\nsynced\n", "deletes a 0s\nsynced\n"})
  void finalizer_ofAPoolOutOfReach_goes30MinutesAfterTheStart(String deleted) {
    story.plays(deleted + HALF_AN_HOUR);
  }

  /** Nobody could clean up before. */
  @Test
  void finalizer_ofAPoolOutOfReach_goes30MinutesAfterTheEndOfAPause() {
    story.plays(FOLLOWED + "pause\ndeletes a 0s\npass 5h !> -a\nresume !> -a\n" + HALF_AN_HOUR);
  }

  @Test
  void deletion_withoutAMark_saysWhichEntriesMayBeLeft_andBindsNothing() {
    story.plays("deletes a 0s\nsynced\npass 1800s ~> named *.pk-* (0 when it was read last)");

    story.plays("bound ->");
  }

  /** The binding may be there for long; only its name is known while the watch is lost. */
  @Test
  void lostWatch_letsNothingGo_andTheCleaningGoesOn() {
    story.plays(FOLLOWED + "deletes a 0s\nlost ->\npass 600s\nshown 0s ->\nbound ~> blue leaving");

    story.plays("synced ~> -a");
  }

  /** The API server refuses any other change of it before. */
  @Test
  void bindingThatNamesNoPool_isLetGoAfterItsStatusIsWritten() {
    BindingView wrong = BindingFixtures.nameless(view("a", "web"));
    story.plays("mark\nsynced");

    story.hear(with(wrong, true, Optional.of(T0), false, wrong.admission()));

    assertThat(story.told()).containsSubsequence("a is Invalid", "-a");
  }

  /** The finalizer may be of anybody's hand, and so may the id. */
  @Test
  void bindingOfAPoolElsewhere_isLetGoAtOnce_withNoRead_andAWarning() {
    for (LoadBalancerId elsewhere :
        List.of(
            new LoadBalancerId("other", "rg", "gateway"),
            new LoadBalancerId("sub", "theirs", "gateway"))) {
      BindingView forged = view("a", "web", elsewhere.pool("blue"), T0);
      story.plays("mark\nsynced\ngone a");

      story.hear(with(forged, true, Optional.of(T0), true, forged.admission()));

      assertThat(story.told())
          .contains("-a", "Not read: the pool is in the ", "named *" + FakePool.MARK)
          .doesNotContain("blue leaving");
      story.plays("bound ->");
    }
  }

  @Test
  void deletionsWithoutAPattern_haveEightPermitsAtOnce_oneAfterTheOther() {
    story.world.allow(Map.of());
    story.plays("mark\nsynced");
    Set<PoolId> read = new HashSet<>();

    IntStream.range(0, 100).forEach(this::forge);

    for (int left = 100; left > 0; left--) {
      Set<PoolId> now = story.world.state().bound().keySet();
      assertThat(now).hasSize(Math.min(8, left));
      read.addAll(now);
      PoolId first = now.iterator().next();
      story.plays("gone forger/" + first.name());
    }
    assertThat(read).hasSize(100);
    story.plays("bound ->");
  }

  /** A flood of one namespace keeps no other one waiting behind all of it. */
  @Test
  void deletionsWithoutAPattern_ofSeveralNamespaces_goRound() {
    story.world.allow(Map.of());
    story.plays("mark\nsynced");
    IntStream.range(0, 100).forEach(this::forge);
    story.plays("deletes a 0s !> blue leaving");

    story.plays("gone forger/p03 ~> blue leaving");
  }

  private void forge(int number) {
    String name = "p%02d".formatted(number);
    BindingView view = view("forger/" + name, "web", BindingFixtures.pool(name), T0);
    story.hear(with(view, true, Optional.of(T0), true, view.admission()));
  }

  /** The pool of the binding that was narrowed is not read before, and has its 30 minutes then. */
  @Test
  void deletionWithoutAPattern_givesUp30MinutesAfterItsPermitHasBegun() {
    story.world.allow(Map.of());
    story.plays("mark\nsynced");
    IntStream.range(0, 8).forEach(this::forge);
    story.plays("deletes a 0s !> blue leaving\npass 1799s\npass 3600s !> -a");

    story.plays("gone forger/p03 ~> blue leaving\n" + HALF_AN_HOUR);
  }

  /** Whoever may name the pool does not wait for strangers. */
  @Test
  void deletionWithAPattern_needsNoPermit() {
    story.plays("mark\nsynced");
    IntStream.range(0, 20).forEach(this::forge);

    story.plays("deletes a 0s ~> blue leaving");
  }

  @Test
  void bindingOfTheCloudProvidersPool_isLetGoAtOnce() {
    BindingView managed =
        view("a", "web", new LoadBalancerId("sub", "rg", "gateway-k8s").pool("blue"), T0);
    story.plays("mark\nsynced");

    story.hear(with(managed, true, Optional.of(T0), true, managed.admission()));

    assertThat(story.told()).contains("-a").doesNotContain("blue");
  }
}
