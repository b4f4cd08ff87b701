package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.Verdict;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The adapter over a wire whose time passes only when it is told to. */
class WireTest {
  private static final Azure AZURE =
      new Azure(
          "sub-1",
          "rg-1",
          "rg-1",
          Optional.empty(),
          List.of("lb-1"),
          Azure.Cloud.PUBLIC,
          Optional.of(URI.create("http://127.0.0.1:1")),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new Azure.Credential.None(),
          "2025-05-01");
  private static final Wire.Answer POOL =
      new Wire.Answer(
          200, Map.of("Content-Type", "application/json", "ETag", "e1"), ScriptedArm.POOL_BODY);

  private static final ArmFailure STANDBY =
      new ArmFailure(ArmFailure.Kind.SHUTDOWN, 0, "", "this replica does not lead");
  private static final ArmFailure WITHHELD =
      new ArmFailure(ArmFailure.Kind.WITHHELD, 0, "", "the Lease went back");

  private final List<LoadBalancerId> accepted = new ArrayList<>();
  private final List<CallsLeft> left = new ArrayList<>();
  private final Virtual wire = new Virtual();
  private final AtomicReference<Optional<ArmFailure>> refusal =
      new AtomicReference<>(Optional.empty());
  private final AzureArm arm =
      AzureArm.over(
          wire,
          AZURE,
          Duration.ofSeconds(60),
          ScriptedArm.LONGEST,
          new ArmObserver() {
            @Override
            public void left(CallsLeft calls) {
              left.add(calls);
            }

            @Override
            public void answered(String call, int status, Duration took) {}

            @Override
            public void accepted(LoadBalancerId loadBalancer) {
              accepted.add(loadBalancer);
            }
          },
          at -> refusal.get(),
          new Clocks(wire::nanos, wire::now, wire::now, () -> new SplittableRandom(1)));

  /** Who waits for an answer, and what is due when. */
  private static final class Virtual implements Wire {
    private final List<Reply> replies = new ArrayList<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private long nanos;
    private long entered;

    private record Due(long at, long order, Runnable what) implements Comparable<Due> {
      @Override
      public int compareTo(Due other) {
        return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
      }
    }

    long nanos() {
      return nanos;
    }

    Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public void send(Request request, Reply reply) {
      replies.add(reply);
    }

    @Override
    public Runnable later(Duration delay, Runnable what) {
      Due one = new Due(nanos + delay.toNanos(), entered++, what);
      due.add(one);
      return () -> due.remove(one);
    }

    void pass(Duration time) {
      long end = nanos + time.toNanos();
      while (!due.isEmpty() && due.peek().at() <= end) {
        Due next = due.remove();
        nanos = next.at();
        next.what().run();
      }
      nanos = end;
    }
  }

  @Test
  void anAnswerThatArrivesIsRead() {
    CompletableFuture<PoolDocument> read =
        arm.get(ScriptedArm.POOL, Instant.MAX).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));

    wire.replies.getFirst().answered(POOL);
    wire.pass(Duration.ofMillis(10));

    assertThat(read).isCompletedWithValueMatching(found -> found.view().addresses().size() == 1);
    assertThat(wire.replies.getFirst().awaited()).isFalse();
  }

  @Test
  void whatArmSaysIsLeftIsReported_andWhatIsNoNumberIsNot() {
    List<Map<String, String>> answers =
        List.of(
            Map.of("x-ms-ratelimit-remaining-subscription-reads", "11999"),
            Map.of("x-ms-ratelimit-remaining-subscription-writes", "7"),
            Map.of("x-ms-ratelimit-remaining-subscription-reads", "many"));
    for (Map<String, String> headers : answers) {
      arm.get(ScriptedArm.POOL, Instant.MAX);
      wire.pass(Duration.ofMillis(10));
      wire.replies.getLast().answered(new Wire.Answer(404, headers, ""));
      wire.pass(Duration.ofMillis(10));
    }

    assertThat(left)
        .containsExactly(
            new CallsLeft(Optional.of(11_999L), Optional.empty()),
            new CallsLeft(Optional.empty(), Optional.of(7L)));
  }

  @Test
  void aListingIsReadOnTheThreadOfTheWire() {
    CompletableFuture<Listing> read = arm.list(Set.of(), Instant.MAX).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));

    String next = ",\"nextLink\":\"http://127.0.0.1:1/next\"";
    for (String more : List.of(next, "")) {
      wire.replies.getLast().answered(new Wire.Answer(200, Map.of(), "{\"value\":[]" + more + "}"));
      wire.pass(Duration.ofMillis(10));
    }

    assertThat(read).isCompletedWithValueMatching(listing -> listing.loadBalancers().isEmpty());
  }

  /** Groups are asked side by side; one that hangs ends alone, and keeps none from its answer. */
  @Test
  void aGroupThatHangsIsUnread_andTheOthersAreListed() {
    Set<String> others = Set.of("g1", "hangs", "z1");
    CompletableFuture<Listing> read =
        arm.list(others, wire.now().plusSeconds(60)).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));
    assertThat(wire.replies).hasSize(4);
    for (int answers : List.of(0, 1, 3)) {
      wire.replies.get(answers).answered(new Wire.Answer(200, Map.of(), "{\"value\":[]}"));
    }

    wire.pass(Duration.ofSeconds(10).minusMillis(11));
    assertThat(read).isNotDone();
    wire.pass(Duration.ofMillis(1));

    assertThat(read)
        .isCompletedWithValueMatching(
            shown ->
                shown.groups().equals(Set.of("rg-1", "g1", "z1"))
                    && shown.unread().keySet().equals(Set.of("hangs")));
  }

  @Test
  void groupsThatAllHangAreAllTriedWithinTheTimeOfTheListing() {
    Set<String> others =
        IntStream.range(0, 32).mapToObj("g%02d"::formatted).collect(Collectors.toSet());
    CompletableFuture<Listing> read =
        arm.list(others, wire.now().plusSeconds(60)).toCompletableFuture();

    wire.pass(Duration.ofSeconds(60));

    assertThat(wire.replies).hasSize(33);
    assertThat(read).isCompletedWithValueMatching(shown -> shown.unread().size() == 33);
  }

  @Test
  void aListingThatIsNotAnsweredInTimeShowsNoGroup() {
    CompletableFuture<Listing> read =
        arm.list(Set.of(), wire.now().plusSeconds(60)).toCompletableFuture();
    wire.pass(Duration.ofSeconds(60).minusMillis(1));
    assertThat(read).isNotDone();

    wire.pass(Duration.ofMillis(1));

    assertThat(read)
        .isCompletedWithValueMatching(
            shown -> shown.failure().orElseThrow().kind() == ArmFailure.Kind.TRANSPORT);
    assertThat(wire.replies.getLast().awaited()).isFalse();
  }

  @Test
  void aLookThatIsNotAnsweredInTimeFails() {
    CompletableFuture<?> look =
        arm.look(ScriptedArm.POOL, wire.now().plusSeconds(10)).toCompletableFuture();
    wire.pass(Duration.ofSeconds(10).minusMillis(1));
    assertThat(look).isNotDone();

    wire.pass(Duration.ofMillis(1));

    assertThat(failure(look).kind()).isEqualTo(ArmFailure.Kind.TRANSPORT);
    assertThat(wire.replies.getLast().awaited()).isFalse();
  }

  @Test
  void anAnswerIsAwaitedUntilTheCallIsGivenUp() {
    CompletableFuture<PoolDocument> read =
        arm.get(ScriptedArm.POOL, Instant.MAX).toCompletableFuture();
    wire.pass(Limits.DEFAULT.call().minusMillis(1));
    Wire.Reply last = wire.replies.getLast();
    assertThat(last.awaited()).isTrue();

    wire.pass(Duration.ofMillis(2));

    assertThat(last.awaited()).isFalse();
    assertThat(read).isCompletedExceptionally();
  }

  /** The PUT of a pool that was read, sent if it may be. */
  private CompletableFuture<Void> put() {
    var read = arm.get(ScriptedArm.POOL, Instant.MAX).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));
    wire.replies.getLast().answered(POOL);
    wire.pass(Duration.ofMillis(10));
    PoolEdit edit = PoolEdit.of(Set.of(), Map.of(Address.of("10.0.0.9"), "n9"));
    var put = arm.put(read.join(), edit, Instant.MAX).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));
    return put;
  }

  private static ArmFailure failure(CompletableFuture<?> call) {
    return ArmException.failureIn(call.exceptionNow());
  }

  @Test
  void aReplicaThatDoesNotLeadReadsButSendsNoWrite() {
    refusal.set(Optional.of(STANDBY));

    CompletableFuture<Void> put = put();

    assertThat(wire.replies).as("the read").hasSize(1);
    assertThat(failure(put).verdict()).isEqualTo(Verdict.SHUTDOWN);
  }

  @Test
  void aReplicaThatLeadsNoMoreDoesNotSendAWriteAgainAndLeavesItInDoubt() {
    CompletableFuture<Void> put = put();
    assertThat(wire.replies).hasSize(2);
    refusal.set(Optional.of(STANDBY));

    wire.replies.getLast().answered(new Wire.Answer(503, Map.of(), ""));
    wire.pass(Duration.ofSeconds(10));

    assertThat(wire.replies).hasSize(2);
    assertThat(failure(put).verdict()).isEqualTo(Verdict.SHUTDOWN);
    assertThat(failure(put).permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
  }

  @Test
  void aWriteOfAPermitWhoseLeaseWentBackIsNotSent_andNothingHasHappened() {
    refusal.set(Optional.of(WITHHELD));

    CompletableFuture<Void> put = put();

    assertThat(wire.replies).as("the read").hasSize(1);
    assertThat(failure(put).unsent()).isTrue();
    assertThat(failure(put).permitResult(true)).isEqualTo(PermitResult.FAILED);
  }

  @Test
  void aWriteOfAPermitWhoseLeaseWentBackIsNotRepeatedAndIsTriedAgainLater() {
    CompletableFuture<Void> put = put();
    refusal.set(Optional.of(WITHHELD));

    wire.replies.getLast().answered(new Wire.Answer(503, Map.of(), ""));
    wire.pass(Duration.ofSeconds(10));

    assertThat(wire.replies).hasSize(2);
    assertThat(failure(put).unsent()).isFalse();
    assertThat(failure(put).verdict()).isEqualTo(Verdict.RETRIABLE);
    assertThat(failure(put).permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
    assertThat(accepted).isEmpty();
  }

  @Test
  void aWriteThatArmTakesIsReportedThoughItsEndIsNotKnown() {
    CompletableFuture<Void> put = put();
    Map<String, String> headers = Map.of("Content-Type", "application/json");

    wire.replies
        .getLast()
        .answered(
            new Wire.Answer(
                201, headers, "{\"properties\": {\"provisioningState\": \"Updating\"}}"));
    wire.pass(Duration.ofMillis(10));

    assertThat(accepted).containsExactly(ScriptedArm.POOL.loadBalancer());
    assertThat(failure(put).permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
  }

  @Test
  void aCallThatIsCancelledIsGivenUp() {
    CompletableFuture<PoolDocument> read =
        arm.get(ScriptedArm.POOL, Instant.MAX).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));

    read.cancel(true);

    assertThat(wire.replies.getLast().awaited()).isFalse();
  }
}
