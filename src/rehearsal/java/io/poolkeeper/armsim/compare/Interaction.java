package io.poolkeeper.armsim.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.Names;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One recorded request and what Azure answered.
 *
 * @param check of the command that recorded it; may be empty
 * @param call with the etags and operation ids of the recording
 */
record Interaction(String id, String check, ArmCall call, Recorded recorded) {
  /** In place of a URL: a poll of the operation that was accepted last. */
  static final String LAST_OPERATION = "(Azure-AsyncOperation url)";

  static final String STATUS_LINK = "Azure-AsyncOperation";
  static final String RESULT_LINK = "Location";

  private static final int ACCEPTED = 202;
  private static final int NOT_FOUND = 404;
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed", "Canceled");

  /** The recorded operation that is polled; that which was accepted last is the empty text. */
  Optional<String> polled() {
    return call.rawPath().equals(LAST_OPERATION) ? Optional.of("") : call.path().operation();
  }

  boolean pollsResult() {
    return call.path() instanceof ArmPath.OperationResult;
  }

  /** Whether a poll says that the operation still runs. */
  boolean running() {
    String status = recorded.tree().path("status").asText("");
    return pollsResult()
        ? recorded.status().orElse(0) == ACCEPTED
        : !status.isEmpty() && !ENDED.contains(status);
  }

  /** The ids of the recorded operation that the request started; empty if it started none. */
  Set<String> started() {
    return polled().isPresent()
        ? Set.of()
        : Stream.of(STATUS_LINK, RESULT_LINK)
            .flatMap(name -> recorded.header(name).stream())
            .flatMap(link -> ArmPath.parse(Recording.path(link)).operation().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** The paths, in lower case, of what the answer to a GET shows as written or as deleted. */
  Set<String> settled() {
    Set<String> paths = new HashSet<>();
    if (call.method() == Method.GET && recorded.status().orElse(0) == NOT_FOUND) {
      paths.add(Names.fold(call.rawPath()));
    } else if (call.method() == Method.GET) {
      settled(recorded.tree(), paths);
    }
    return paths;
  }

  private static void settled(JsonNode node, Collection<String> paths) {
    if (ENDED.contains(node.at("/properties/provisioningState").asText(""))) {
      paths.add(Names.fold(node.path("id").asText("")));
    }
    node.forEach(child -> settled(child, paths));
  }

  /**
   * What was recorded of an answer.
   *
   * @param status empty if the recording does not say
   * @param headers by their names in lower case; empty if the recording has none at all
   * @param body null if there was none; empty if the recording does not say
   */
  record Recorded(
      OptionalInt status, Optional<Map<String, String>> headers, Optional<JsonNode> body) {
    private static final int FIRST_ERROR = 400;

    /** Whether there was no answer, or none that can be compared. */
    boolean absent() {
      return status.isEmpty() && headers.isEmpty() && body.isEmpty();
    }

    boolean refused() {
      return status.orElse(0) >= FIRST_ERROR;
    }

    Optional<String> header(String name) {
      return headers.flatMap(all -> Optional.ofNullable(all.get(Names.fold(name))));
    }

    JsonNode tree() {
      return body.orElse(MissingNode.getInstance());
    }

    String code() {
      return tree().at("/error/code").asText("");
    }

    /** The ids of the elements of a list. */
    List<String> listed() {
      return tree()
          .path("value")
          .valueStream()
          .map(element -> element.path("id").asText(""))
          .toList();
    }
  }
}
