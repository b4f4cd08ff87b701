package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.Ink;
import io.poolkeeper.console.StatusText;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools of equal names in two resource groups are two. */
class LiveStateTest {
  private static final String ROW =
      """
      {"id":"%1$s/lb/web","loadBalancer":"lb","resourceGroup":"%1$s","pool":"web","services":["a/%1$s"],
       "cause":"failing","tone":"wait"}"""
          .replace("\n", "");
  private static final String BOTH =
      "{\"whole\":true,\"status\":{\"now\":\"2026-11-28T10:00:00Z\"},\"pools\":[%s,%s]}\n"
          .formatted(ROW.formatted("one"), ROW.formatted("two"));

  /** Answers each path with these lines. */
  private record Lines(String text) implements Leader {
    @Override
    public Answer get(String path) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new Answer(
          200, new LimitedStream(new ByteArrayInputStream(bytes), LimitedStream.Limits.USUAL));
    }

    @Override
    public String name() {
      return "a leader";
    }

    @Override
    public void close() {}
  }

  private static List<String> ids(List<JsonNode> rows) {
    return rows.stream().map(row -> row.path("id").asText()).toList();
  }

  @Test
  void named_withTheGroupOneIsMeant_withoutItAll_andEachHasItsPath() {
    LiveState state = LiveState.read(new Lines(BOTH));

    assertThat(ids(state.named("lb/web"))).containsExactly("one/lb/web", "two/lb/web");
    assertThat(ids(state.named("Two/lb/web"))).containsExactly("two/lb/web");
    assertThat(LiveState.path(state.named("a/two").getFirst()))
        .isEqualTo("/api/v1/pools/lb/web?resourceGroup=two");
    assertThat(new StatusText(Ink.PLAIN, false).lines(state.status(), state.pools()))
        .anyMatch(line -> line.startsWith("one/lb/web"))
        .anyMatch(line -> line.startsWith("two/lb/web"));
  }

  @ParameterizedTest
  @CsvSource({
    "a/tow, a/two",
    "onne, one",
    "LB/wep, lb/web",
    "one/lb/wep, one/lb/web",
    "b/one, a/one",
    "other/two, a/two",
    "vmss00002, vmss00001",
    "checkout, ''",
    "a/b/c/d, ''",
  })
  void near_aMisspelling_isTheNameInTheSameForm(String name, String meant) {
    LiveState state = LiveState.read(new Lines(BOTH));

    assertThat(state.near(name, Set.of("vmss00001")).orElse("")).isEqualTo(meant);
  }

  @Test
  void follow_oneIsGone_theOtherStays() {
    List<List<String>> seen = new ArrayList<>();

    LiveState.follow(
        new Lines(BOTH + "{\"n\":2,\"gone\":[\"one/lb/web\"]}\n"),
        state -> {
          seen.add(ids(List.copyOf(state.pools())));
          return seen.size() < 2;
        });

    assertThat(seen).last().isEqualTo(List.of("two/lb/web"));
  }
}
