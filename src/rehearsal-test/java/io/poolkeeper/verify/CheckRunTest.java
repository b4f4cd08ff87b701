package io.poolkeeper.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.verify.Assumption.Finding;
import io.poolkeeper.verify.Assumption.Unseen;
import io.poolkeeper.verify.CheckRun.Result;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckRunTest {
  private static final Place PLACE = new Place("s", "g", "l", "0000000a");

  private final Recorder recorder = new Recorder();
  private final List<Result> told = new ArrayList<>();
  private final Calls idle =
      (method, url, version, headers, body) -> exchange(200, JsonNodeFactory.instance.objectNode());

  private static ArmExchange exchange(int status, JsonNode answer) {
    return new ArmExchange(
        Instant.EPOCH,
        "GET",
        "/x?api-version=1",
        Map.of(),
        MissingNode.getInstance(),
        status,
        1,
        Map.of(),
        answer);
  }

  private static Bench bench(Calls calls, InstantSource clock, Duration permitDeadline) {
    BackendPools none =
        (BackendPools)
            Proxy.newProxyInstance(
                CheckRunTest.class.getClassLoader(),
                new Class<?>[] {BackendPools.class},
                (of, method, arguments) -> null);
    return new Bench(PLACE, calls, none, pool -> Map.of(), clock, 20, permitDeadline);
  }

  private List<Result> run(Calls calls, Duration limit, Assumption.Trial... trials)
      throws InterruptedException {
    Bench bench = bench(calls, InstantSource.system(), Duration.ofSeconds(1));
    List<Assumption> checks = new ArrayList<>();
    for (Assumption.Trial trial : trials) {
      checks.add(new Assumption("check-" + checks.size(), "It holds.", "nothing", trial));
    }
    return new CheckRun(bench, recorder, limit).all(checks, told::add);
  }

  private static List<String> seen(List<Result> results) {
    return results.stream()
        .map(one -> one.finding().verdict() + " " + one.finding().seen())
        .toList();
  }

  @Test
  void all_aCheckThatDoesNotEnd_isUnknown_andTheNextOneRuns() throws Exception {
    List<Result> results =
        run(
            idle,
            Duration.ofMillis(300),
            bench -> {
              new CountDownLatch(1).await();
              return Finding.of(true, "never");
            },
            bench -> Finding.of(true, "at once"));

    assertThat(seen(results)).containsExactly("unknown no end after 0 s", "holds at once");
    assertThat(told).isEqualTo(results);
  }

  @Test
  void all_aCheckThatFails_isUnknown_withWhy() throws Exception {
    List<Result> results =
        run(
            idle,
            CheckRun.LIMIT,
            bench -> {
              throw new Unseen("GET .../x: 429");
            },
            bench -> {
              throw new IllegalStateException("broken");
            });

    assertThat(seen(results))
        .containsExactly(
            "unknown GET .../x: 429", "unknown java.lang.IllegalStateException: broken");
  }

  @Test
  void all_whatCannotBeReadBefore_isUnknown() throws Exception {
    Calls refused =
        (method, url, version, headers, body) -> exchange(503, MissingNode.getInstance());

    assertThat(seen(run(refused, CheckRun.LIMIT, bench -> Finding.of(true, "never"))))
        .containsExactly("unknown GET .../x: 503");
  }

  /** A right, a lock, another write or a quota says nothing about what Azure assumes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 401, 403, 404, 409, 429, 500, 503})
  void all_writesRefusedForAnotherReason_areUnknown(int status) throws Exception {
    Calls writesRefused =
        (method, url, version, headers, body) ->
            method.equals("GET")
                ? exchange(200, JsonNodeFactory.instance.objectNode().put("etag", "W/\"1\""))
                : exchange(status, MissingNode.getInstance());
    List<Assumption.Trial> trials = new ArrayList<>();
    WriteChecks.ALL.stream()
        .filter(check -> !check.id().equals("etag-shared"))
        .forEach(check -> trials.add(check.trial()));
    EntryChecks.QUICK.forEach(check -> trials.add(check.trial()));

    List<Result> results =
        run(writesRefused, CheckRun.LIMIT, trials.toArray(Assumption.Trial[]::new));

    assertThat(results)
        .hasSize(15)
        .allMatch(one -> one.finding().verdict() == AssumptionVerdict.UNKNOWN);
  }

  @Test
  void all_timesThatTakeLong_areOfFewerSamples() throws Exception {
    Calls ended =
        (method, url, version, headers, body) ->
            exchange(
                200,
                JsonNodeFactory.instance
                    .objectNode()
                    .set(
                        "properties",
                        JsonNodeFactory.instance
                            .objectNode()
                            .put("provisioningState", "Succeeded")));
    AtomicLong seconds = new AtomicLong();
    Bench bench =
        bench(ended, () -> Instant.ofEpochSecond(seconds.getAndAdd(10)), Duration.ofSeconds(20));
    Assumption times = AnswerChecks.ALL.getLast();

    Finding finding =
        new CheckRun(bench, recorder, CheckRun.LIMIT)
            .all(List.of(times), told::add)
            .getFirst()
            .finding();

    assertThat(finding.verdict()).isEqualTo(AssumptionVerdict.HOLDS);
    assertThat(finding.seen()).startsWith("p50, p90 and max of 3, ").contains("PUT ended 10000/");
  }

  @Test
  void all_interrupted_endsAndStartsNoOther() {
    Thread command = Thread.currentThread();

    assertThatThrownBy(
            () ->
                run(
                    idle,
                    CheckRun.LIMIT,
                    bench -> {
                      command.interrupt();
                      new CountDownLatch(1).await();
                      return Finding.of(true, "never");
                    },
                    bench -> Finding.of(true, "never")))
        .isInstanceOf(InterruptedException.class);
    assertThat(told).isEmpty();
  }

  @Test
  void spread_isTheMedianTheNinetiethPercentileAndTheLongest() {
    List<Long> twenty = new ArrayList<>();
    for (long i = 20; i > 0; i--) {
      twenty.add(i);
    }

    assertThat(AnswerChecks.spread(twenty)).isEqualTo("10/18/20");
    assertThat(AnswerChecks.spread(List.of(7L))).isEqualTo("7/7/7");
  }
}
