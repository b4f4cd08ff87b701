package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.doctor.CheckVerdict;
import io.poolkeeper.doctor.Examination;
import io.poolkeeper.doctor.Finding;
import io.poolkeeper.status.Snapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * All answers, byte by byte, compared with a file that people have read; in it each of their
 * members has a value somewhere. {@code -Dgolden.write=true} writes it anew.
 */
class AnswersTest {
  private static final Path GOLDEN = Path.of("src", "test", "resources", "answers", "bodies.json");
  private final ObjectMapper json = new ObjectMapper();

  private static Map<String, Object> answers(Snapshot snapshot) {
    Moment moment = Scene.moment(snapshot, Scene.NOW);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("status", StatusJson.of(moment, moment.report()));
    all.put(
        "events",
        moment.report().pools().stream()
            .map(line -> PoolJson.row(line, snapshot, Scene.NOW))
            .toList());
    all.put("pools", PoolJson.of(moment));
    snapshot
        .allPools()
        .forEach(pool -> all.put("pools/" + pool.id(), PoolDetailJson.of(pool, moment)));
    all.put("nodes", snapshot.nodes().items());
    for (String node : List.of("n4", "n5", "n9")) {
      NodeJson.of(node, moment).ifPresent(found -> all.put("nodes/" + node, found));
    }
    all.put("plan", PoolDetailJson.plan(moment));
    all.put("leftovers", LeftoverJson.of(moment));
    snapshot
        .rateLimiter()
        .ifPresent(view -> all.put("turnstile", RateLimiterJson.of(view, Scene.NOW)));
    snapshot
        .comparison()
        .ifPresent(comparison -> all.put("shadow", ShadowJson.of(comparison, moment)));
    Finding finding = new Finding("token", CheckVerdict.NOT_TESTED, "no", "do\nthat");
    all.put(
        "doctor",
        DoctorJson.of(
            new Examination(
                Scene.NOW, "client app-1", "system:serviceaccount:ns:pk", List.of(finding)),
            "pk-1",
            true));
    return all;
  }

  private Map<String, Object> scenes() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("busy", answers(Scene.busy()));
    all.put("refused", answers(Scene.refused()));
    all.put("hurt", answers(Scene.hurt()));
    all.put("empty", answers(Scene.empty()));
    return all;
  }

  @Test
  void answers_inEachState_areAsPeopleHaveReadThem() throws IOException {
    Map<String, Object> answers = scenes();

    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(GOLDEN, ApiJson.tree(answers).toPrettyString() + "\n");
    }

    assertThat(new String(ApiJson.bytes(answers), StandardCharsets.UTF_8))
        .isEqualTo(
            new String(
                json.writeValueAsBytes(json.readTree(GOLDEN.toFile())), StandardCharsets.UTF_8));
  }

  /** So no name of a member changes unseen. */
  @Test
  void answers_together_haveAValueOfEachMember() throws IOException {
    Map<String, Boolean> members = new TreeMap<>();

    json.readTree(GOLDEN.toFile())
        .forEach(
            scene ->
                scene
                    .properties()
                    .forEach(
                        answer ->
                            note(
                                answer.getKey().replaceFirst("(?<=/).*", "ONE"),
                                answer.getValue(),
                                members)));

    assertThat(members).hasSizeGreaterThan(300);
    assertThat(members.entrySet()).filteredOn(one -> !one.getValue()).isEmpty();
  }

  private static void note(String path, JsonNode node, Map<String, Boolean> members) {
    boolean value = node.isValueNode() ? !node.isNull() : !node.isEmpty();
    members.merge(path, value, Boolean::logicalOr);
    if (node.isArray()) {
      node.forEach(item -> note(path + "[]", item, members));
    }
    node.properties().forEach(one -> note(path + " " + one.getKey(), one.getValue(), members));
  }
}
