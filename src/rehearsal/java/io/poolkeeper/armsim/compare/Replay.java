package io.poolkeeper.armsim.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.armsim.Caller;
import io.poolkeeper.armsim.Rights;
import io.poolkeeper.armsim.compare.Comparison.Outcome;
import io.poolkeeper.armsim.compare.Comparison.Uncompared;
import io.poolkeeper.armsim.compare.Interaction.Recorded;
import io.poolkeeper.armsim.model.ArmModel;
import io.poolkeeper.armsim.model.ArmState;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.protocol.DerivedGuid;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Sends the requests of a recording to a fresh model, in their order, and compares the answers.
 * Etags and operation ids of the recording are replaced by those that the model gave out in their
 * place. An operation ends when the recording shows that the recorded one had ended; how it ends is
 * the model's own decision. A write that only the model accepts is taken back, so that one
 * difference does not cause others. Confined to one thread.
 */
final class Replay {
  private static final int PAGE_SIZE = 100;
  private static final int RETRY_AFTER = 1; // seconds; any number, as its presence is compared
  private static final int CREATED = 201;
  private static final int NO_CONTENT = 204;
  private static final int FIRST_FAILURE = 500;
  private static final Set<Integer> RIGHTS = Set.of(401, 403);
  private static final Set<String> QUOTA =
      Set.of("SubscriptionRequestsThrottled", "TooManyRequests");

  private final ArmModel model = new ArmModel(guids(), PAGE_SIZE, RETRY_AFTER);
  private final Rights rights = new Rights();
  private final Recording recording;
  private final SortedSet<String> headers;
  private final int[] lastRunning;

  private final Map<String, String> etags = new HashMap<>();
  private final Map<String, Started> byRecordedId = new HashMap<>();
  private final Map<String, Started> byPath = new HashMap<>();
  private final Set<ResourceId> known = new HashSet<>();

  private Replay(Recording recording) {
    this.recording = recording;
    this.headers =
        AnswerDiff.HEADERS.stream()
            .filter(
                name ->
                    recording.interactions().stream()
                        .anyMatch(one -> one.recorded().header(name).isPresent()))
            .collect(Collectors.toCollection(TreeSet::new));
    this.lastRunning = lastRunning(recording.interactions());
    new Preexisting(recording.interactions()).make(model);
  }

  /**
   * An operation of the model.
   *
   * @param links of the answer that started it, by the names of their headers
   * @param lastRunning where the recording last says that the recorded one still runs
   */
  private record Started(String id, Map<String, String> links, int lastRunning) {
    Optional<String> link(Interaction poll) {
      return Optional.ofNullable(
          links.get(poll.pollsResult() ? Interaction.RESULT_LINK : Interaction.STATUS_LINK));
    }
  }

  static Comparison of(Recording recording) {
    Replay replay = new Replay(recording);
    List<Outcome> outcomes = new ArrayList<>();
    for (int at = 0; at < recording.interactions().size(); at++) {
      outcomes.add(replay.next(at));
    }
    SortedSet<String> unrecorded = new TreeSet<>(AnswerDiff.HEADERS);
    unrecorded.removeAll(replay.headers);
    return new Comparison(outcomes, unrecorded);
  }

  private Outcome next(int at) {
    Interaction interaction = recording.interactions().get(at);
    Optional<Uncompared> reason = uncompared(interaction);
    if (reason.isPresent()) {
      interaction.started().forEach(byRecordedId::remove);
      return new Outcome(interaction, reason, List.of());
    }
    interaction.polled().map(byRecordedId::get).map(Started::id).ifPresent(model::complete);
    endSettled(interaction, at);
    ArmAnswer answer = answer(interaction);
    Recorded recorded = interaction.recorded();
    if (!recorded.refused() && answer.code().isEmpty()) {
      learn(interaction, answer, at);
    }
    return new Outcome(
        interaction, Optional.empty(), AnswerDiff.between(recorded, answer, headers));
  }

  private Optional<Uncompared> uncompared(Interaction interaction) {
    Recorded recorded = interaction.recorded();
    int status = recorded.status().orElse(0);
    if (recorded.absent()) {
      return Optional.of(Uncompared.NO_ANSWER);
    }
    if (RIGHTS.contains(status) || status >= FIRST_FAILURE || QUOTA.contains(recorded.code())) {
      return Optional.of(Uncompared.REFUSED);
    }
    if (interaction.polled().isPresent()) {
      Started started = byRecordedId.get(interaction.polled().get());
      if (started == null || started.link(interaction).isEmpty()) {
        return Optional.of(Uncompared.NO_OPERATION);
      }
      return interaction.running() ? Optional.of(Uncompared.RUNNING) : Optional.empty();
    }
    if (interaction.call().skipToken().isPresent()) {
      return Optional.of(Uncompared.LATER_PAGE);
    }
    return unknown(interaction) ? Optional.of(Uncompared.UNKNOWN) : Optional.empty();
  }

  /** Whether the answer is about something that existed, but that the recording did not make. */
  private boolean unknown(Interaction interaction) {
    ArmCall call = interaction.call();
    int status = interaction.recorded().status().orElse(CREATED);
    boolean absent = status == (call.method() == Method.DELETE ? NO_CONTENT : CREATED);
    return !interaction.recorded().refused()
        && switch (call.path()) {
          case ArmPath.One one -> !absent && !known(one.id());
          case ArmPath.Listing listing ->
              listing
                  .list()
                  .parent()
                  .map(parent -> !known(parent))
                  .orElseGet(() -> listsUnknown(interaction));
          case ArmPath.GroupResources all -> listsUnknown(interaction);
          case ArmPath.All all -> all.kind().equals("resources") && listsUnknown(interaction);
          default -> false;
        };
  }

  private boolean listsUnknown(Interaction interaction) {
    return interaction.recorded().listed().stream()
        .anyMatch(id -> ResourceId.parse(id).filter(one -> !known(one)).isPresent());
  }

  /** Whether a resource, or what it is a part of, was written. */
  private boolean known(ResourceId id) {
    return known.contains(id) || id.parent().filter(this::known).isPresent();
  }

  /** Ends the operations on what a GET shows as settled, unless a later poll says otherwise. */
  private void endSettled(Interaction interaction, int at) {
    for (String path : interaction.settled()) {
      Started started = byPath.get(path);
      if (started != null && at > started.lastRunning()) {
        byPath.remove(path);
        model.complete(started.id());
      }
    }
  }

  private ArmAnswer answer(Interaction interaction) {
    ArmCall call = call(interaction);
    return rights.permissions(Caller.ANONYMOUS, call).orElseGet(() -> handle(interaction, call));
  }

  private ArmAnswer handle(Interaction interaction, ArmCall call) {
    Optional<ArmState> before =
        interaction.recorded().refused() ? Optional.of(model.snapshot()) : Optional.empty();
    Handled handled;
    try {
      handled = model.handle(call);
    } catch (RuntimeException defect) {
      // As the simulator does: a defect is an answer, too.
      handled = Handled.internalError(defect.toString());
    }
    if (handled.changed()) {
      before.ifPresent(model::restore);
    }
    return handled.answer();
  }

  /** The recorded request with the model's etag, or the poll of the model's operation. */
  private ArmCall call(Interaction interaction) {
    ArmCall call = interaction.call();
    Optional<String> link =
        interaction.polled().map(byRecordedId::get).flatMap(started -> started.link(interaction));
    return ArmCall.to(
        call.method(),
        Recording.ORIGIN,
        link.orElse(call.rawPath() + "?" + call.rawQuery()),
        call.ifMatch().map(etag -> etags.getOrDefault(etag, etag)),
        link.isPresent() ? new Body.Absent() : call.body());
  }

  private void learn(Interaction interaction, ArmAnswer answer, int at) {
    Recorded recorded = interaction.recorded();
    align(
        recorded.tree(),
        answer.content().<JsonNode>map(ArmJson::tree).orElse(MissingNode.getInstance()));
    String etag = answer.headers().get("ETag");
    if (etag != null) {
      recorded.header("ETag").ifPresent(old -> etags.put(old, etag));
    }
    if (interaction.polled().isPresent()) {
      return;
    }
    if (interaction.call().method() == Method.PUT
        && interaction.call().path() instanceof ArmPath.One one) {
      known.add(one.id());
    }
    follow(interaction, answer, at);
  }

  /** Keeps under which recorded ids an operation of the model is polled. */
  private void follow(Interaction interaction, ArmAnswer answer, int at) {
    interaction.started().forEach(byRecordedId::remove);
    Map<String, String> links = new HashMap<>();
    for (String name : List.of(Interaction.STATUS_LINK, Interaction.RESULT_LINK)) {
      String link = answer.headers().get(name);
      if (link != null) {
        links.put(name, link.substring(Recording.ORIGIN.length()));
      }
    }
    links.values().stream()
        .flatMap(link -> ArmPath.parse(Recording.path(link)).operation().stream())
        .findFirst()
        .map(id -> new Started(id, links, lastRunning[at]))
        .ifPresent(
            started -> {
              interaction.started().forEach(id -> byRecordedId.put(id, started));
              byRecordedId.put("", started);
              byPath.put(Names.fold(interaction.call().rawPath()), started);
            });
  }

  /** Learns which etag of the model stands for which recorded one. */
  private void align(JsonNode recorded, JsonNode simulated) {
    for (var member : recorded.properties()) {
      JsonNode other = simulated.path(member.getKey());
      if (member.getKey().equals("etag") && other.isTextual()) {
        etags.put(member.getValue().asText(), other.textValue());
      }
      align(member.getValue(), other);
    }
    if (recorded.isArray() && simulated.isArray()) {
      Map<String, JsonNode> byName = new HashMap<>();
      simulated.forEach(item -> byName.put(Names.fold(item.path("name").asText("")), item));
      for (JsonNode item : recorded) {
        String name = Names.fold(item.path("name").asText(""));
        align(item, byName.getOrDefault(name, MissingNode.getInstance()));
      }
    }
  }

  /**
   * For each interaction, the last poll which says that the operation that it started still runs,
   * before its id is used again; -1 without one.
   */
  private static int[] lastRunning(List<Interaction> interactions) {
    int[] last = new int[interactions.size()];
    Map<String, Integer> running = new HashMap<>();
    for (int at = last.length - 1; at >= 0; at--) {
      Interaction one = interactions.get(at);
      last[at] = -1;
      for (String id : one.started()) {
        last[at] = Math.max(last[at], running.getOrDefault(id, -1));
        running.remove(id);
      }
      if (one.polled().isPresent() && one.running()) {
        running.putIfAbsent(one.polled().get(), at);
      }
    }
    return last;
  }

  /** Guids that no recording has. */
  private static Supplier<String> guids() {
    int[] last = {0};
    return () -> DerivedGuid.of("replay " + ++last[0]).toString();
  }
}
