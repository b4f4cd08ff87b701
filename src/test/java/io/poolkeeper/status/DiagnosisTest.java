package io.poolkeeper.status;

import static io.poolkeeper.status.Pools.CALM;
import static io.poolkeeper.status.Pools.EDGE;
import static io.poolkeeper.status.Pools.ONE_MISSING;
import static io.poolkeeper.status.Pools.failing;
import static io.poolkeeper.status.Pools.pool;
import static io.poolkeeper.status.Pools.waits;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.AzureError;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolDriver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.ratelimit.Bucket;
import io.poolkeeper.ratelimit.Obstacle;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.service.UnknownPools;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each state, each obstacle and each failure has its cause, and in sync has none. */
class DiagnosisTest {
  private static final Optional<String> PEER = Optional.of("pk-2");
  private static final Cause THROTTLED = new Cause.Throttled(Optional.of(EDGE));
  private static final ArmFailure CONFLICT =
      new ArmFailure(Kind.RESPONSE, 412, "PreconditionFailed", "the etag is another one");

  private static Optional<Cause> of(PoolStatus pool) {
    return Diagnosis.of(pool, CALM);
  }

  private static Optional<Cause> idle(Difference difference, String why) {
    return of(pool("web", State.IDLE, why, difference, Optional.empty(), 4, 4, WouldWrite.NOTHING));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void of_anyState_hasACauseUnlessItIsIdle(State state) {
    Cause expected =
        switch (state) {
          case IDLE, GATHERING -> new Cause.Batching();
          case PARKED -> THROTTLED;
          case BRAKED -> new Cause.Braked();
          case HELD -> new Cause.HeldByCheck("");
          case PAUSED -> new Cause.Paused();
          case WAITING -> new Cause.Queued(Optional.of(EDGE));
          case READING, WRITING -> new Cause.Writing();
          case FAILED -> new Cause.Failing(0, "");
          case POSTPONED -> new Cause.Contested(EDGE);
          case STOPPED -> new Cause.NotLeading();
          case OPTED_OUT -> new Cause.NotManaged("");
        };

    assertThat(of(pool("web", state)))
        .isEqualTo(Optional.of(expected).filter(any -> state != State.IDLE));
  }

  @ParameterizedTest
  @EnumSource(Obstacle.class)
  void of_waitingForAnyObstacle_isWhatItWaitsFor(Obstacle why) {
    Cause expected =
        switch (why) {
          case TURN, NEXT -> new Cause.Queued(Optional.of(EDGE));
          case IN_FLIGHT -> new Cause.Queued(Optional.empty());
          case LOAD_BALANCER_GATE -> THROTTLED;
          case SUBSCRIPTION_GATE, SLOW_START -> new Cause.Throttled(Optional.empty());
          case SETTLING -> new Cause.Settling(EDGE);
          case EARLY_PAUSE -> new Cause.Batching();
          case READ_TOKENS -> new Cause.TokensEmpty(Bucket.READS);
          case WRITE_TOKENS -> new Cause.TokensEmpty(Bucket.WRITES);
          case EARLY_TOKENS -> new Cause.TokensEmpty(Bucket.EARLY);
          case RETRY_BUDGET -> new Cause.RetryBudgetEmpty();
          case LEASE -> new Cause.LeaseHeld("", "");
        };

    assertThat(Diagnosis.of(pool("web", State.WAITING), waits("web", why))).contains(expected);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void of_failedByAnyKind_isWhatAPersonWouldLookAt(Kind kind) {
    ArmFailure failure =
        kind == Kind.THROTTLED
            ? ArmFailure.throttled("", "slow down", Instant.EPOCH)
            : new ArmFailure(kind, kind == Kind.RESPONSE ? 400 : 0, "Code", "text");
    Cause expected =
        switch (kind) {
          case THROTTLED -> THROTTLED;
          case AUTHENTICATION -> new Cause.SignInFailing();
          case UNCONNECTED, TRANSPORT, UNTRUSTED -> new Cause.AzureUnreachable();
          case RESPONSE -> new Cause.Failing(400, "Code");
          case UNRESOLVED -> new Cause.Failing(0, "");
          case UNDONE -> new Cause.Contested(EDGE);
          case MALFORMED, OPERATION, CANCELED, WITHHELD, SHUTDOWN, OTHER ->
              new Cause.Failing(0, "Code");
        };

    assertThat(of(failing("web", State.FAILED, failure))).contains(expected);
    assertThat(of(failing("web", State.GATHERING, failure))).contains(expected);
  }

  @Test
  void of_waitingForALeaseThatCannotBeRead_needsAPerson() {
    Surroundings waits = waits("web", Obstacle.LEASE);
    Surroundings away =
        new Surroundings(
            Pools.T0,
            Optional.empty(),
            waits.waiting(),
            Optional.of(
                new LeaseStanding.Unreachable("403: forbidden", Pools.T0, Optional.empty())),
            Set.of(),
            Recent.View.NONE);

    Cause cause = Diagnosis.of(pool("web", State.WAITING), away).orElseThrow();

    assertThat(cause).isEqualTo(new Cause.LeaseHeld("", "403: forbidden"));
    assertThat(cause.tone()).isEqualTo(Tone.NEED);
  }

  @Test
  void of_statusesOfTheirOwn_areTold() {
    assertThat(of(failing("web", State.FAILED, Pools.forbidden())))
        .contains(
            new Cause.Refused(new MissingRight(MissingRight.WRITE, EDGE.path(), "app-1", "oid-1")));
    assertThat(of(failing("web", State.FAILED, new ArmFailure(Kind.RESPONSE, 401, "", "no"))))
        .contains(new Cause.SignInFailing());
    assertThat(of(failing("web", State.FAILED, CONFLICT))).contains(new Cause.Contested(EDGE));
  }

  @ParameterizedTest
  @EnumSource(AzureError.class)
  void of_failedByAnyErrorOfAzure_isTheCauseOfWhoCanEndIt(AzureError error) {
    ArmFailure failure =
        SAMPLES.stream().filter(one -> one.error() == error).findFirst().orElseThrow();

    Cause cause = of(failing("web", State.FAILED, failure)).orElseThrow();

    assertThat(cause.key()).isEqualTo(error.ender().key());
    assertThat(Fix.of(cause, Pools.SELF).toString().contains("role assignment"))
        .isEqualTo(error.ender() == AzureError.Ender.GRANT);
  }

  /** Without the right to follow operations, each poll is refused at a scope of its own. */
  @ParameterizedTest
  @EnumSource(AzureError.class)
  void of_aPollThatFails_saysNothingOfWhoCanEndTheWrite(AzureError error) {
    ArmFailure poll =
        SAMPLES.stream().filter(one -> one.error() == error).findFirst().orElseThrow();
    ArmFailure unresolved =
        new ArmFailure(Kind.UNRESOLVED, poll.status(), poll.code(), "not known: " + poll.message());

    Cause cause = of(failing("web", State.FAILED, unresolved)).orElseThrow();

    assertThat(cause).isEqualTo(new Cause.Failing(0, ""));
    assertThat(cause.tone()).isEqualTo(Tone.WAIT);
    assertThat(unresolved.explained()).endsWith("not known: no.");
  }

  private static final List<ArmFailure> SAMPLES =
      Stream.of(
              "409 Canceled",
              "409 ScopeLocked",
              "409 ResourceGroupBeingDeleted",
              "409 Any",
              "412 Any",
              "429 SubscriptionRequestsThrottled",
              "429 TooManyRequests",
              "429 RetryableError",
              "429 Any",
              "403 LinkedAuthorizationFailed",
              "403 DenyAssignmentAuthorizationFailed",
              "403 RequestDisallowedByPolicy",
              "401 Any",
              "404 Any",
              "503 Any",
              "403 Any")
          .map(text -> text.split(" ", -1))
          .map(of -> new ArmFailure(Kind.RESPONSE, Integer.parseInt(of[0]), of[1], "no"))
          .toList();

  @Test
  void of_row6AndRow7_areNamedWithWhoseTheyAre() {
    String lock = "/subscriptions/s/providers/Microsoft.Authorization/locks/no-touch";
    Cause locked =
        of(failing("web", State.FAILED, refused(409, "ScopeLocked", "locked: '" + lock + "'.")))
            .orElseThrow();
    Cause denied =
        of(failing(
                "web",
                State.FAILED,
                refused(403, "RequestDisallowedByPolicy", "by (policy assignment <Deny>).")))
            .orElseThrow();

    assertThat(locked).isEqualTo(new Cause.ResourceLock(lock));
    assertThat(Fix.of(locked, Pools.SELF))
        .extracting(Fix::command)
        .containsExactly("az rest --method get --url '" + lock + "?api-version=2016-09-01'");
    assertThat(denied).isEqualTo(new Cause.PolicyDenies("Deny"));
    assertThat(Fix.of(denied, Pools.SELF)).isEmpty();
    assertThat(List.of(locked.tone(), denied.tone())).containsOnly(Tone.NEED);
  }

  private static ArmFailure refused(int status, String code, String message) {
    return new ArmFailure(Kind.RESPONSE, status, code, message);
  }

  @Test
  void of_idlePool_isInSyncUnlessSomethingDiffers() {
    assertThat(idle(Difference.NONE, "")).isEmpty();
    assertThat(idle(ONE_MISSING, "")).contains(new Cause.Batching());
    assertThat(of(PoolDriver.settled("n4").shows("nic").status(EDGE.pool("web"))))
        .map(Cause::key)
        .contains("left-alone");
    assertThat(idle(new Difference(0, 0, 0, 0, Set.of(), true, true, Optional.empty()), ""))
        .contains(new Cause.NodeWithoutAddress());
    assertThat(idle(new Difference(0, 0, 1, 0, Set.of(), true, false, Optional.of(CONFLICT)), ""))
        .as("a drain that is tried again")
        .contains(new Cause.Contested(EDGE));
    assertThat(
            idle(new Difference(0, 0, 1, 0, Set.of(), true, false, Optional.of(CONFLICT)), "nic"))
        .as("a drain of a pool whose members are left alone")
        .contains(new Cause.Contested(EDGE));
  }

  @Test
  void stages_ofIdlePools_areStuckWhereTheCauseIs() {
    Difference nodeless = new Difference(0, 0, 0, 0, Set.of(), true, true, Optional.empty());
    Difference drains = new Difference(0, 0, 1, 0, Set.of(), true, false, Optional.of(CONFLICT));

    assertThat(stuck(nodeless)).isEqualTo("Nodes");
    assertThat(stuck(drains)).isEqualTo("Azure");
    assertThat(stuck(Difference.NONE)).isEmpty();
  }

  private static String stuck(Difference difference) {
    PoolStatus idle =
        pool("web", State.IDLE, "", difference, Optional.empty(), 4, 4, WouldWrite.NOTHING);
    return Stages.of(PoolLine.of(idle, CALM)).stream()
        .filter(stage -> stage.state().equals("stuck"))
        .map(Stages.Stage::step)
        .collect(Collectors.joining());
  }

  @Test
  void of_poolThatDiffersInShadowMode_wouldBeWritten() {
    WouldWrite would =
        new WouldWrite(PoolEdit.of(Set.of(), Map.of(Address.of("10.0.0.9"), "n9")), false);

    assertThat(of(pool("web", State.IDLE, "shadow", ONE_MISSING, Optional.empty(), 3, 4, would)))
        .contains(new Cause.WouldWrite());
  }

  @Test
  void of_poolThatDiffersWhileAWatchIsLost_waitsForTheWatch() {
    Surroundings lost =
        new Surroundings(
            Pools.T0,
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Set.of(CacheKind.NODES),
            Recent.View.NONE);
    PoolStatus differs =
        pool("web", State.IDLE, "lost", ONE_MISSING, Optional.empty(), 3, 4, WouldWrite.NOTHING);

    assertThat(Diagnosis.of(differs, lost)).contains(Cause.WatchLost.of(Set.of(CacheKind.NODES)));
    PoolStatus inSync =
        pool(
            "web", State.IDLE, "lost", Difference.NONE, Optional.empty(), 4, 4, WouldWrite.NOTHING);
    assertThat(Diagnosis.of(inSync, lost)).as("nothing needs a person").isEmpty();
    assertThat(of(inSync)).as("the pool has not heard of the end yet").isEmpty();
    Difference refused = new Difference(0, 0, 1, 0, Set.of(), true, false, Optional.of(CONFLICT));
    PoolStatus drain =
        pool("web", State.IDLE, "lost", refused, Optional.empty(), 4, 4, WouldWrite.NOTHING);
    assertThat(Diagnosis.of(drain, lost))
        .as("drains go on")
        .contains(new Cause.Contested(drain.id().loadBalancer()));
  }

  @Test
  void ofProcess_groupThatMayNotBeListed_namesTheRight() {
    String said = "no action 'Microsoft.Network/loadBalancers/read' over scope '/s/edge'";
    ArmFailure why = new ArmFailure(Kind.RESPONSE, 403, "AuthorizationFailed", said);
    Knowledge known = Pools.known(Map.of("edge", why), Map.of(), Map.of());

    assertThat(Diagnosis.ofProcess(known, Set.of(), false, PEER, Pools.T0))
        .containsExactly(new Cause.Refused(MissingRight.of(why, MissingRight.LIST, "/s/edge")));
  }

  @Test
  void ofProcess_namesWhatCannotBeRead_thoseThatAreUsedFirst() {
    ArmFailure why = new ArmFailure(Kind.MALFORMED, 200, "", "answer: id is missing");
    LoadBalancerId theirs = new LoadBalancerId("s", "rg", "a");
    UnknownPools used = new UnknownPools(why, true, Set.of());
    UnknownPools unused = new UnknownPools(why, false, Set.of());
    Knowledge known = Pools.known(Map.of(), Map.of(theirs, unused, EDGE, used), Map.of());

    Cause cause = Diagnosis.ofProcess(known, Set.of(), false, PEER, Pools.T0).getFirst();

    assertThat(cause)
        .isEqualTo(new Cause.Unreadable(List.of(EDGE, theirs), "HTTP 200 " + why.message(), true));
    assertThat(cause.tone()).isEqualTo(Tone.NEED);
    assertThat(new Cause.Unreadable(List.of(theirs), "", false).tone()).isEqualTo(Tone.WAIT);
  }

  @Test
  void of_poolWhoseServiceHasNoEndpointSlice_isNotInSync() {
    Difference unknown = new Difference(0, 0, 0, 0, Set.of(), false, false, Optional.empty());
    PoolStatus idle =
        pool("web", State.IDLE, "", unknown, Optional.empty(), 0, 0, WouldWrite.NOTHING);

    assertThat(of(idle)).contains(new Cause.NoEndpointSlice());
    assertThat(PoolLine.of(idle, Pools.CALM))
        .extracting(PoolLine::label, PoolLine::why)
        .containsExactly("Incomplete", "A Service has no EndpointSlice");
    Surroundings lost =
        new Surroundings(
            Pools.T0,
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Set.of(CacheKind.ENDPOINT_SLICES),
            Recent.View.NONE);
    assertThat(Diagnosis.of(idle, lost))
        .contains(Cause.WatchLost.of(Set.of(CacheKind.ENDPOINT_SLICES)));
  }
}
