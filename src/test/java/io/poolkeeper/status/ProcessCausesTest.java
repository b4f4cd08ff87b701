package io.poolkeeper.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What keeps a process from following pools, or concerns all of it. */
class ProcessCausesTest {
  private static final Optional<String> PEER = Optional.of("pk-2");

  @Test
  void ofProcess_lostWatchOfBindings_isACause_andAnotherCauseDoesNotHideTheStart() {
    assertThat(Diagnosis.ofProcess(Pools.KNOWN, Set.of(), true, PEER, Pools.T0))
        .containsExactly(new Cause.WatchLost(Set.of("bindings")));
    assertThat(
            Diagnosis.ofProcess(
                new Knowledge(Set.of(), Set.of(), true, true, Map.of(), Optional.empty()),
                List.of(new NodeKey("n4")),
                true,
                PEER,
                Pools.T0))
        .containsExactly(
            new Cause.PreemptionsWaiting(List.of(new NodeKey("n4"))), new Cause.Starting());
  }

  @Test
  void ofProcess_saysWhatKeepsItFromKnowing() {
    Set<CacheKind> all = Set.of(CacheKind.values());
    ArmFailure refused = new ArmFailure(Kind.RESPONSE, 403, "AuthorizationFailed", "cut off");

    assertThat(Diagnosis.ofProcess(Pools.KNOWN, Set.of(), false, PEER, Pools.T0)).isEmpty();
    assertThat(
            Diagnosis.ofProcess(
                new Knowledge(all, Set.of(), false, true, Map.of(), Optional.empty()),
                Set.of(),
                false,
                PEER,
                Pools.T0))
        .containsExactly(new Cause.Starting());
    assertThat(Diagnosis.ofProcess(Pools.KNOWN, List.of(new NodeKey("n4")), false, PEER, Pools.T0))
        .containsExactly(new Cause.PreemptionsWaiting(List.of(new NodeKey("n4"))));
    assertThat(
            Diagnosis.ofProcess(
                new Knowledge(all, Set.of(), true, false, Map.of(), Optional.empty()),
                Set.of(),
                false,
                PEER,
                Pools.T0))
        .containsExactly(new Cause.NotLeading());
    assertThat(
            Diagnosis.ofProcess(
                new Knowledge(all, Set.of(), true, false, Map.of(), Optional.empty()),
                Set.of(),
                false,
                Optional.empty(),
                Pools.T0))
        .containsExactly(new Cause.NoLeader());
    assertThat(
            Diagnosis.ofProcess(
                new Knowledge(all, Set.of(), true, true, Map.of(), Optional.of(refused)),
                Set.of(),
                false,
                PEER,
                Pools.T0))
        .containsExactly(new Cause.Refused(new MissingRight(MissingRight.LIST, "", "", "")));
    assertThat(
            Diagnosis.ofProcess(
                new Knowledge(
                    all,
                    Set.of(CacheKind.SERVICES),
                    true,
                    true,
                    Map.of(),
                    Optional.of(new ArmFailure(Kind.RESPONSE, 500, "Oops", "text"))),
                Set.of(),
                false,
                PEER,
                Pools.T0))
        .containsExactly(
            Cause.WatchLost.of(Set.of(CacheKind.SERVICES)),
            new Cause.ListingFailing(List.of(), 500, "Oops"));
  }
}
