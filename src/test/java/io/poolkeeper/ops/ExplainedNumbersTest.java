package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.ExplainText;
import io.poolkeeper.console.Ink;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.pool.PoolDriver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No two numbers of one explanation contradict each other, along random ways of a pool. */
class ExplainedNumbersTest {
  private static final int STEPS = 400;
  private static final ArmFailure OOPS =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 500, "Internal", "oops");
  private static final Pattern HAS =
      Pattern.compile(
          "has (\\d+) of (\\d+) nodes(?:, (\\d+) too many)?(?:, (\\d+) to set Down)?"
              + "(?:, (\\d+) to set None)?");
  private static final Pattern WRITE =
      Pattern.compile("Next write: .* (\\d+) added, (\\d+) removed, (\\d+) set\\.");

  private final RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void explain_inAnyState_saysOneNumberOfEachThing(long seed) {
    Random random = new Random(seed);
    PoolDriver pool = PoolDriver.settled("n4 n5");
    List<State> states = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      next(pool, random);
      PoolStatus status = pool.status(RateLimiterDriver.pool("lb-1"));
      states.add(status.state());
      assertAgrees(status);
    }
    assertThat(states)
        .contains(
            State.IDLE, State.GATHERING, State.WAITING, State.READING, State.WRITING, State.FAILED);
  }

  /** Something that may happen now. */
  private static void next(PoolDriver pool, Random random) {
    pool.after(random.nextInt(40));
    switch (pool.status(RateLimiterDriver.pool("lb-1")).state()) {
      case READING -> pool.read(entries(random));
      case WRITING -> {
        if (random.nextBoolean()) {
          pool.written();
        } else {
          pool.failed(OOPS);
        }
      }
      case WAITING -> pool.granted();
      default -> {
        switch (random.nextInt(4)) {
          case 0 -> pool.web(nodes(random, ""));
          case 1 -> pool.leave(nodes(random, "").replaceAll("n[78]", "").strip());
          case 2 -> pool.shows(entries(random));
          default -> pool.tick();
        }
      }
    }
  }

  private static String entries(Random random) {
    return (nodes(random, "") + " " + nodes(random, "/Down")).transform(all -> distinct(all));
  }

  private static String distinct(String entries) {
    return List.of(entries.trim().split(" +")).stream()
        .collect(Collectors.toMap(one -> one.replace("/Down", ""), one -> one, (one, any) -> one))
        .values()
        .stream()
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static String nodes(Random random, String state) {
    return IntStream.rangeClosed(4, 8)
        .filter(any -> random.nextBoolean())
        .mapToObj(number -> "n" + number + state)
        .collect(Collectors.joining(" "));
  }

  private void assertAgrees(PoolStatus status) {
    Moment moment = Scene.moment(Statuses.snapshot(rateLimiter, status), rateLimiter.now());
    JsonNode json = ApiJson.tree(PoolDetailJson.of(status, moment));
    String text =
        new ExplainText(Ink.PLAIN)
            .pool(json, ApiJson.tree(moment.status())).stream()
                .map(String::strip)
                .collect(Collectors.joining(" "));
    assertThat(text).as("a pool that has been seen").doesNotContain("is not read yet");
    List<List<Integer>> said = new ArrayList<>();
    for (Matcher has = HAS.matcher(text); has.find(); ) {
      said.add(IntStream.rangeClosed(1, 5).mapToObj(group -> number(has, group)).toList());
    }
    List<Integer> counted =
        List.of(
            status.members().right(),
            status.members().desired().size(),
            entries(json, "REMOVE"),
            set(json, "DOWN"),
            set(json, "NONE"));
    assertThat(said).as(text).isNotEmpty().allMatch(counted::equals);
    assertThat(entries(json, "ADD")).as(text).isEqualTo(counted.get(1) - counted.get(0));
    Matcher write = WRITE.matcher(text);
    List<Integer> written =
        write.find()
            ? List.of(number(write, 1), number(write, 2), number(write, 3))
            : List.of(0, 0, 0);
    assertThat(written)
        .as(text)
        .containsExactly(entries(json, "ADD"), entries(json, "REMOVE"), entries(json, "SET"));
    if (text.contains("In sync")) {
      assertThat(counted.get(0)).as(text).isEqualTo(counted.get(1));
      assertThat(written).as(text).containsOnly(0);
    }
  }

  private static int number(Matcher found, int group) {
    return found.group(group) == null ? 0 : Integer.parseInt(found.group(group));
  }

  private static int entries(JsonNode json, String change) {
    return Math.toIntExact(
        json.path("entries").findValuesAsText("change").stream()
            .filter(change::equalsIgnoreCase)
            .count());
  }

  private static int set(JsonNode json, String state) {
    int set = 0;
    for (JsonNode entry : json.path("entries")) {
      set +=
          entry.path("change").asText().equalsIgnoreCase("SET")
                  && entry.path("wanted").asText().equalsIgnoreCase(state)
              ? 1
              : 0;
    }
    return set;
  }
}
