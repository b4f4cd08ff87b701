package io.poolkeeper.armsim.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.armsim.compare.Interaction.Recorded;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One difference between a recorded answer and the simulator's, in words: a status, the presence of
 * a header or of a member of the body, or one of the few values that do not depend on when and
 * where it was recorded.
 */
record AnswerDiff(String recorded, String simulated) {
  /** Headers whose presence is compared. */
  static final List<String> HEADERS =
      List.of(Interaction.STATUS_LINK, Interaction.RESULT_LINK, "Retry-After", "ETag");

  private static final int FIRST_ERROR = 400;
  private static final String ADDRESS = "ipAddress";

  /** Azure chooses all addresses but those in here. */
  private static final String ENTRIES = "loadBalancerBackendAddresses[";

  private static final Set<String> VALUES =
      Set.of("provisioningState", "adminState", ADDRESS, "name", "status", "code");

  /**
   * All differences.
   *
   * @param headers those of {@link #HEADERS} that count
   */
  static List<AnswerDiff> between(Recorded recorded, ArmAnswer answer, Set<String> headers) {
    List<AnswerDiff> found = new ArrayList<>();
    JsonNode simulated =
        answer.content().<JsonNode>map(ArmJson::tree).orElse(MissingNode.getInstance());
    int status = recorded.status().orElse(answer.status());
    if (status != answer.status()) {
      found.add(
          new AnswerDiff(status(status, recorded.tree()), status(answer.status(), simulated)));
    }
    // The rest of a success has nothing in common with that of an error.
    if (status >= FIRST_ERROR == answer.status() >= FIRST_ERROR) {
      recorded.body().ifPresent(body -> addBodies(body, simulated, found));
      addHeaders(recorded, answer, headers, found);
    }
    return found;
  }

  private static String status(int status, JsonNode body) {
    JsonNode error = body.path("error");
    String codes =
        List.of(error.path("code"), error.path("details").path(0).path("code")).stream()
            .map(code -> code.asText(""))
            .filter(code -> !code.isEmpty())
            .map(code -> ", " + code)
            .collect(Collectors.joining());
    return "status " + status + codes;
  }

  private static void addHeaders(
      Recorded recorded, ArmAnswer answer, Set<String> headers, List<AnswerDiff> found) {
    Set<String> sent =
        answer.headers().keySet().stream().map(Names::fold).collect(Collectors.toSet());
    for (String name : HEADERS) {
      boolean there = recorded.header(name).isPresent();
      boolean here = sent.contains(Names.fold(name));
      if (there != here && headers.contains(name) && recorded.headers().isPresent()) {
        found.add(
            new AnswerDiff(presence(there, "header " + name), presence(here, "header " + name)));
      }
    }
  }

  private static void addBodies(JsonNode recorded, JsonNode simulated, List<AnswerDiff> found) {
    if (recorded.isContainerNode() != simulated.isContainerNode()) {
      found.add(
          new AnswerDiff(
              presence(recorded.isContainerNode(), "body"),
              presence(simulated.isContainerNode(), "body")));
      return;
    }
    Map<String, SortedSet<String>> there = members(recorded);
    Map<String, SortedSet<String>> here = members(simulated);
    addMissing(there, here, true, found);
    addMissing(here, there, false, found);
    there.forEach(
        (path, values) -> {
          SortedSet<String> others = here.getOrDefault(path, values);
          if (!others.equals(values)) {
            found.add(new AnswerDiff(value(path, values), value(path, others)));
          }
        });
  }

  /** Adds the outermost members that only one of the bodies has. */
  private static void addMissing(
      Map<String, ?> has, Map<String, ?> lacks, boolean recorded, List<AnswerDiff> found) {
    String last = "";
    for (String path : has.keySet()) {
      boolean inside =
          !last.isEmpty() && (path.startsWith(last + ".") || path.startsWith(last + "["));
      if (!lacks.containsKey(path) && !inside) {
        last = path;
        found.add(new AnswerDiff(presence(recorded, path), presence(!recorded, path)));
      }
    }
  }

  private static String presence(boolean present, String what) {
    return present ? what : "no " + what;
  }

  private static String value(String path, SortedSet<String> values) {
    return path + " " + (values.isEmpty() ? "null" : String.join(", ", values));
  }

  /** The paths of all members, parents first, with those of their values that count. */
  private static Map<String, SortedSet<String>> members(JsonNode body) {
    Map<String, SortedSet<String>> members = new LinkedHashMap<>();
    body.properties().forEach(one -> walk(one.getKey(), one.getKey(), one.getValue(), members));
    return members;
  }

  /** Elements of a list go by their names; those without a name count as one. */
  private static void walk(
      String path, String member, JsonNode node, Map<String, SortedSet<String>> members) {
    SortedSet<String> values = members.computeIfAbsent(path, first -> new TreeSet<>());
    if (node.isObject()) {
      for (var one : node.properties()) {
        walk(path + "." + one.getKey(), one.getKey(), one.getValue(), members);
      }
    } else if (node.isArray()) {
      for (JsonNode item : node) {
        walk("%s[%s]".formatted(path, item.path("name").asText("")), "", item, members);
      }
    } else if (!node.isNull() && counts(path, member)) {
      values.add(node.asText());
    }
  }

  private static boolean counts(String path, String member) {
    return VALUES.contains(member) && (!member.equals(ADDRESS) || path.contains(ENTRIES));
  }
}
