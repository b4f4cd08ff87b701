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
import org.junit.jupiter.api.Test;

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

  private List<Result> run(Calls calls, Duration limit, Assumption.Trial... trials)
      throws InterruptedException {
    BackendPools none =
        (BackendPools)
            Proxy.newProxyInstance(
                CheckRunTest.class.getClassLoader(),
                new Class<?>[] {BackendPools.class},
                (of, method, arguments) -> null);
    Bench bench =
        new Bench(
            PLACE, calls, none, pool -> Map.of(), InstantSource.system(), 1, Duration.ofSeconds(1));
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
