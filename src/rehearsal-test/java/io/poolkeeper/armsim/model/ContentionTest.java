package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.delete;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.model.Terms.UpdatingShown;
import io.poolkeeper.armsim.protocol.ArmCall;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes that meet a running operation, and operations that fail. */
class ContentionTest {
  private static final Terms RETRYABLE = terms(Contention.RETRYABLE, 14);
  private static final Terms CONFLICT = terms(Contention.CONFLICT, 0);
  private static final Terms QUEUE = terms(Contention.QUEUE, 0);
  private static final Terms DOOMED = Terms.PLAIN.with(Fate.DOOMED);
  private static final Terms FOLLOWED = Terms.PLAIN.with(Fate.FOLLOWED);
  private static final Terms LOST = Terms.PLAIN.with(Fate.LOST);
  private static final Outcome FAILED = new Outcome.Failed("InternalServerError", "Broken.");

  private final ArmModel model = new ArmModel(Calls.counting(), 2, 1);

  @BeforeEach
  void aPoolAtRest() {
    model.handle(put(GROUP, "{\"location\":\"eastus\"}"));
    model.handle(put(LB, "{\"location\":\"eastus\"}"));
    // Guids 1 to 3: resource guid, etag, operation; 4 to 6: operation, etag, etag.
    model.complete(started(put(POOL, pool("a=10.0.0.1"))));
  }

  private static Terms terms(Contention contention, int retrySeconds) {
    return new Terms(
        contention,
        retrySeconds,
        ParentAddresses.IGNORED,
        UpdatingShown.SIBLINGS,
        Set.of(),
        Fate.APPLIED);
  }

  private String started(ArmCall call) {
    return model.handle(call).started().orElseThrow();
  }

  private String state() {
    return state(POOL);
  }

  private String state(String path) {
    return body(model.handle(get(path))).at("/properties/provisioningState").asText();
  }

  private String poll(String operation) {
    return text(
        model.handle(
            get(
                "/subscriptions/s/providers/Microsoft.Network/locations/eastus/operations/"
                    + operation)));
  }

  @Test
  void put_whileLocked_isRefusedAsSeenAtAzureAndChangesNothing() {
    String running = started(put(POOL, pool("a=10.0.0.2")));
    ArmState before = model.snapshot();
    // When
    Handled refused =
        model.handle(put(LB + "/backendAddressPools/q", pool("b=10.0.0.3")), RETRYABLE);
    // Then
    assertThat(refused.answer().status()).isEqualTo(429);
    assertThat(refused.accepted()).isFalse();
    assertThat(refused.answer().headers())
        .containsEntry("Retry-After", "14")
        .containsEntry("x-ms-failure-cause", "service");
    assertThat(text(refused))
        .isEqualTo(
            """
            {"error":{"code":"RetryableError","message":"A retryable error occurred.","details":[\
            {"code":"RetryableErrorDueToAnotherOperation","message":"Operation \
            PutLoadBalancerBackendAddressPoolOperation (%s) is updating resource %s. \
            The call can be retried in 14 seconds."}]}}"""
                .formatted(running, LB));
    assertThat(model.snapshot()).isEqualTo(before);
  }

  @Test
  void put_whileAnotherRuns_canBeRefusedByNamingThatOne() {
    String running = started(put(POOL, pool("a=10.0.0.2")));
    ArmState before = model.snapshot();
    // When
    Handled refused = model.handle(put(POOL, pool()), CONFLICT);
    // Then
    assertThat(refused.answer().status()).isEqualTo(409);
    assertThat(body(refused).at("/error/code").asText()).isEqualTo("AnotherOperationInProgress");
    assertThat(body(refused).at("/error/message").asText())
        .startsWith(
            "Another operation on this or dependent resource is in progress. To retrieve status of"
                + " the operation use uri: http://arm/subscriptions/s/providers/Microsoft.Network/"
                + "locations/eastus/operations/"
                + running
                + "?api-version=2025-05-01&t=");
    assertThat(model.snapshot()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfWrite_whileAnotherRuns_contends(Contention contention) {
    for (ArmCall write :
        new ArmCall[] {
          put(POOL, pool()), put(LB, "{\"location\":\"eastus\"}"), delete(POOL), delete(LB)
        }) {
      var fresh = new ArmModel(Calls.counting(), 2, 1);
      fresh.restore(model.snapshot());
      fresh.handle(put(POOL, pool("a=10.0.0.2")));
      Handled handled = fresh.handle(write, terms(contention, 1));
      boolean supersedes = contention == Contention.SUPERSEDE;
      assertThat(handled.accepted()).isEqualTo(supersedes || contention == Contention.QUEUE);
      assertThat(handled.superseded()).isEqualTo(supersedes);
    }
  }

  @Test
  void end_queued_waitsForTheOneBeforeAndBothSucceed() {
    String first = started(put(POOL, pool("a=10.0.0.2")));
    String second =
        model.handle(put(POOL + "2", pool("b=10.0.0.3")), QUEUE).started().orElseThrow();
    String third = model.handle(delete(POOL), QUEUE).started().orElseThrow();
    // When
    assertThat(model.complete(third)).as("out of turn").isFalse();
    assertThat(model.complete(second)).as("out of turn").isFalse();
    // Then
    assertThat(List.of(poll(first), poll(second), poll(third)))
        .containsOnly("{\"status\":\"InProgress\"}");
    assertThat(List.of(model.next(first), model.next(second), model.next(third)))
        .containsExactly(Optional.of(second), Optional.of(third), Optional.empty());
    // When
    assertThat(model.end(first, FAILED)).isTrue();
    assertThat(model.complete(third)).as("out of turn").isFalse();
    assertThat(model.complete(second)).isTrue();
    assertThat(state(LB)).isEqualTo("Updating");
    assertThat(model.complete(third)).isTrue();
    // Then
    assertThat(List.of(poll(second), poll(third))).containsOnly("{\"status\":\"Succeeded\"}");
    assertThat(state(LB)).isEqualTo("Succeeded");
    assertThat(text(model.handle(get(POOL + "2")))).contains("10.0.0.3");
  }

  @ParameterizedTest
  @EnumSource
  void put_afterTheOperationEnded_isAccepted(Contention contention) {
    model.complete(started(put(POOL, pool("a=10.0.0.2"))));
    assertThat(model.handle(put(POOL, pool()), terms(contention, 1)).accepted()).isTrue();
  }

  @Test
  void put_ofAPool_showsInEverythingOrInThatPoolAlone() {
    String sibling = LB + "/backendAddressPools/q";
    model.complete(started(put(sibling, pool("b=10.0.0.3"))));
    model.complete(started(put(POOL, pool("a=10.0.0.2"))));
    Terms alone =
        new Terms(
            Contention.SUPERSEDE,
            0,
            ParentAddresses.IGNORED,
            UpdatingShown.WRITTEN,
            Set.of(),
            Fate.APPLIED);
    // When
    String first = started(put(POOL, pool("a=10.0.0.3")));
    // Then
    assertThat(List.of(state(LB), state(sibling), state())).containsOnly("Updating");
    // When
    String second =
        model.handle(put(POOL.toUpperCase(Locale.ROOT), pool()), alone).started().orElseThrow();
    // Then
    assertThat(List.of(state(LB), state(sibling))).containsOnly("Succeeded");
    assertThat(state()).isEqualTo("Updating");
    assertThat(text(model.handle(get(sibling)))).doesNotContain("Updating");
    assertThat(ArmState.load(Calls.dump(model))).isEqualTo(model.snapshot());
    // When
    model.complete(second);
    // Then
    assertThat(state()).isEqualTo("Succeeded");
    assertThat(model.complete(first)).as("superseded").isFalse();
    // When
    model.handle(put(LB, "{\"location\":\"eastus\"}"), alone);
    // Then
    assertThat(state(LB)).as("a write of everything").isEqualTo("Updating");
  }

  @Test
  void end_failed_leavesWhatWasWrittenAsFailedUntilTheNextSuccess() {
    String operation = model.handle(put(POOL, pool("a=10.0.0.2")), DOOMED).started().orElseThrow();
    assertThat(state()).isEqualTo("Updating");
    // When
    assertThat(model.end(operation, FAILED)).isTrue();
    // Then
    assertThat(poll(operation))
        .isEqualTo(
            "{\"status\":\"Failed\",\"error\":{\"code\":\"InternalServerError\",\"message\":\"Broken.\",\"details\":[]}}");
    assertThat(state()).isEqualTo("Failed");
    assertThat(text(model.handle(get(POOL)))).contains("10.0.0.2");
    assertThat(ArmState.load(Calls.dump(model))).isEqualTo(model.snapshot());
    // Writing the same content again is not a no-op now.
    model.complete(started(put(POOL, pool("a=10.0.0.2"))));
    assertThat(state()).isEqualTo("Succeeded");
  }

  @Test
  void end_canceled_showsItsCodeAndSurvivesADump() {
    String operation = started(put(POOL, pool("a=10.0.0.2")));
    model.end(operation, new Outcome.Canceled("Preempted"));
    String answer = poll(operation);
    assertThat(answer)
        .startsWith("{\"status\":\"Canceled\",\"error\":{\"code\":\"Canceled\"")
        .contains("\"details\":[{\"code\":\"Preempted\"");
    assertThat(state()).isEqualTo("Failed");
    model.restore(ArmState.load(Calls.dump(model)));
    assertThat(poll(operation)).isEqualTo(answer);
  }

  @Test
  void end_twice_countsOnce() {
    String operation = started(put(POOL, pool("a=10.0.0.2")));
    model.complete(operation);
    assertThat(model.end(operation, FAILED)).isFalse();
    assertThat(state()).isEqualTo("Succeeded");
  }

  @Test
  void put_lost_isAcceptedAndSucceedsAndWasNeverWritten() {
    // When
    Handled accepted = model.handle(put(POOL, pool("a=10.0.0.2")), LOST);
    // Then
    assertThat(accepted.answer().status()).isEqualTo(200);
    assertThat(text(accepted)).contains("10.0.0.2").contains("Updating");
    String operation = accepted.started().orElseThrow();
    model.complete(operation);
    assertThat(poll(operation)).isEqualTo("{\"status\":\"Succeeded\"}");
    assertThat(text(model.handle(get(POOL)))).contains("10.0.0.1").doesNotContain("10.0.0.2");
  }

  @Test
  void creation_lost_isAnsweredAndNeverThere() {
    assertThat(model.handle(put(LB + "2", "{\"location\":\"eastus\"}"), LOST).answer().status())
        .isEqualTo(201);
    assertThat(model.handle(get(LB + "2")).answer().status()).isEqualTo(404);
    Handled pool = model.handle(put(POOL + "2", pool()), LOST);
    assertThat(pool.answer().status()).isEqualTo(201);
    model.complete(pool.started().orElseThrow());
    assertThat(model.handle(get(POOL + "2")).answer().status()).isEqualTo(404);
  }

  @ParameterizedTest
  @EnumSource(names = {"DOOMED", "LOST"})
  void delete_thatComesToNothing_leavesWhatItNamed(Fate fate) {
    Terms terms = Terms.PLAIN.with(fate);
    for (String target : new String[] {POOL, LB}) {
      Handled accepted = model.handle(delete(target), terms);
      assertThat(accepted.answer().status()).isEqualTo(202);
      model.end(accepted.started().orElseThrow(), FAILED);
      assertThat(model.handle(get(target)).answer().status()).isEqualTo(200);
    }
  }

  @Test
  void creation_followed_runsLikeAnyOtherWrite() {
    Handled accepted = model.handle(put(LB + "2", "{\"location\":\"eastus\"}"), FOLLOWED);
    assertThat(accepted.answer().status()).isEqualTo(201);
    assertThat(body(accepted).at("/properties/provisioningState").asText()).isEqualTo("Updating");
    assertThat(model.complete(accepted.started().orElseThrow())).isTrue();
    assertThat(text(model.handle(get(LB + "2")))).contains("Succeeded");
  }
}
