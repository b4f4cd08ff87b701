package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.T0;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One pool has one binding, and what happens to that one's pool when there are others. */
class BindingOwnershipTest {
  private static final String SETTLE = "\nbegin\nsettle\n";
  private static final String ENDPOINTS = "endpoints web 10.0.0.4\nendpoints api 10.0.0.6\n";
  private static final Map<String, List<String>> BOTH =
      Map.of("shop", List.of(POOL.path()), "team", List.of(POOL.path()));
  private static final Map<String, List<String>> TEAM = Map.of("team", List.of(POOL.path()));
  private static final String SEVERAL =
      "NotAllowed: poolkeeper.admission.allowed-pools gives the pool %s to several namespaces,"
              .formatted(POOL.path())
          + " [shop, team]: it must be one";

  private final BindingsStory story = new BindingsStory();

  private void settled(String bindings) {
    story.plays(ENDPOINTS + bindings + SETTLE);
  }

  /** The pool holds what the binding a has put in, and then other patterns are in force. */
  private void settledThenAllowed(Map<String, List<String>> allowed, String others) {
    settled("store a web");
    story.world.allow(allowed);
    story.plays(others + "\ncrash\nsettle\nmarked -> 10.0.0.4");
  }

  private static String taken(String name, String owner) {
    return "%s Taken: the binding shop/%s, which is older, owns the pool %s"
        .formatted(name, owner, POOL);
  }

  @Test
  void owner_isTheOldest_thenTheOneOfTheSmallestUid() {
    settled("store a web\nstore b web made=-1\nstore c web made=-1");

    story.plays("outcomes -> " + taken("a", "b") + " b follows " + taken("c", "b"));
  }

  /** A finalizer of somebody else keeps it, and it is never followed. */
  @Test
  void owner_isNoneThatIsDeletedAndHasNothingToCleanUp() {
    BindingView kept = BindingFixtures.view("a", "web");
    story.plays("mark\nsynced");

    story.hear(BindingFixtures.with(kept, false, Optional.of(T0), false, kept.admission()));

    story.plays("hears b web made=1 ~> b follows");
  }

  /** Somebody who sees a pool that is not written for now must not get it by that. */
  @Test
  void owner_keepsThePool_whileItIsInactive_invalidOtherwise_orBeingDeleted() {
    settled("store a web\nstore b api");

    story.plays("inactive a\nsettle\noutcomes -> a follows " + taken("b", "a"));
    story.plays("wrong a\nsettle\noutcomes -> a Invalid: spec.ipFamily: IPv5 " + taken("b", "a"));
    story.plays("marked -> 10.0.0.4\ndelete a\nhear a ~> a leaves");
    story.plays("outcomes -> a leaves " + taken("b", "a"));

    story.plays("settle ~> b follows\nmarked -> 10.0.0.6");
  }

  @Test
  void takenBinding_asksNoCheck_andItsPoolHearsNothing() {
    settled("store a web\nstore b api freeze");

    story.plays("check b freeze:Ready\nsettle -> b is Taken\nbindings -> a+ b");
  }

  /** Whether or not both have bindings. */
  @Test
  void poolOfTwoNamespaces_isNobodys() {
    story.world.allow(BOTH);
    settled("store a web");

    story.plays("outcomes -> a " + SEVERAL);
    story.plays("store team/b web\nsettle -> team/b %s; team/b is NotAllowed".formatted(SEVERAL));
  }

  @Test
  void poolOfTwoNamespacesNow_keepsItsEntries_untilItsBindingIsDeleted() {
    settledThenAllowed(BOTH, "store team/b web");
    story.plays("outcomes -> a " + SEVERAL + " team/b " + SEVERAL);

    story.plays("delete a\nsettle\nmarked ->\nbindings -> team/b");
  }

  @Test
  void bindingThatIsNotAllowedAnyMore_cleansUpWhenItIsDeleted() {
    settledThenAllowed(Map.of(), "");

    story.plays("outcomes ~> a NotAllowed: \ndelete a\nsettle\nmarked ->\nbindings ->");
  }

  @Test
  void bindingThatIsNotAllowedAnyMore_leavesTheEntriesOfTheNextOwner() {
    settledThenAllowed(TEAM, "store team/b web");
    story.plays("outcomes ~> a NotAllowed: \noutcomes ~> team/b follows");

    story.plays("delete a\ngo -> -a\nmarked -> 10.0.0.4\nbindings -> team/b+");
  }

  /** An owner that is not followed must take them out, too, when it is deleted. */
  @Test
  void owner_getsItsFinalizer_alsoWhileItIsInactiveOrInvalid() {
    settledThenAllowed(TEAM, "store team/b web wrong inactive");

    story.plays("delete a\ngo\nbindings -> team/b+\ndelete team/b\nsettle\nbindings ->\nmarked ->");
  }

  /** A second has many bindings: a younger one may own the pool by its UID. */
  @Test
  void bindingThatEnds_waitsUntilTheOwnerWouldCleanUp() {
    settled("store b web finalizer");

    story.plays("delete b\nstore a web\nlost\nhear a\nhear b\nsynced ~> +a\ngo ~> -b");

    story.plays("bindings -> a+\nmarked -> 10.0.0.4");
  }

  /** Which of the two has put them in is not known. */
  @Test
  void ofTwoThatAreNotAllowedAnyMore_theLastOneCleansUp() {
    settledThenAllowed(Map.of(), "store b api finalizer");

    story.plays("delete a\nsettle\nbindings -> b+\nmarked -> 10.0.0.4");
    story.plays("delete b\nsettle\nbindings ->\nmarked ->");
  }

  /** Of another namespace, though it is older; or of one that does not own the pool. */
  @ParameterizedTest
  @CsvSource({"evil/x, evil/x web finalizer made=-60", "b, b web finalizer"})
  void forgedFinalizer_ownsNothing_andTakesNothingOut(String name, String forged) {
    settled("store a web\nstore " + forged);

    story.plays("delete " + name + "\ngo ~> -" + name);
    story.plays("bound -> blue for web\nbindings -> a+\nmarked -> 10.0.0.4");
  }

  /** Only entries of the mark go, and there are none but those of nobody. */
  @Test
  void forgedFinalizer_whereNobodyOwnsThePool_leavesWhatIsForeign() {
    settled("foreign 10.9.0.1\nstore evil/x web finalizer");

    story.plays("bound ->\ndelete evil/x\nsettle\nbindings ->\naddresses -> 10.9.0.1");
  }

  @Test
  void finalizerTakenByHand_isPutBack_andThePoolKeepsItsEntries() {
    settled("store a web");

    story.plays("strip a\nsettle\nbindings -> a+\nbound -> blue for web\nmarked -> 10.0.0.4");
  }
}
