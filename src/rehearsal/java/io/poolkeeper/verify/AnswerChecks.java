package io.poolkeeper.verify;

import static io.poolkeeper.verify.Place.FREE;
import static io.poolkeeper.verify.Place.USED;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.AzureAction;
import io.poolkeeper.arm.Grant;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.verify.Assumption.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What answers look like, how long they take, and what the identity may do. */
final class AnswerChecks {
  /** Shorter than a check may take, by more than a write does. */
  private static final Duration SAMPLING = Duration.ofSeconds(80);

  private static final String PERMISSIONS = "/providers/Microsoft.Authorization/permissions";

  static final List<Assumption> ALL =
      List.of(
          new Assumption(
              "api-version",
              "The configured API version is served.",
              "azure.api-version: choose one of those that Azure names",
              AnswerChecks::apiVersion),
          new Assumption(
              "rights",
              "The identity has each action of the role.",
              "give it the role that `poolkeeper role-definition` prints",
              AnswerChecks::rights),
          new Assumption(
              "not-found",
              "A pool that is missing is 404 NotFound.",
              "a deleted pool is tried again some times: nothing to set",
              AnswerChecks::notFound),
          new Assumption(
              "letter-case",
              "A path in other letters is answered, with ids as they were created.",
              "nothing to set: Poolkeeper compares ids ignoring case",
              AnswerChecks::letterCase),
          new Assumption(
              "quota-headers",
              "Answers say how many calls are left.",
              "poolkeeper_arm_remaining_calls stays empty; watch the metrics of 429s",
              AnswerChecks::quotaHeaders),
          new Assumption(
              "times",
              "Each write ends within turnstile.turn-deadline.",
              "turnstile.turn-deadline: set twice the longest time",
              AnswerChecks::times));

  /** Its own calls are not recorded. */
  static final Assumption ADAPTER =
      new Assumption(
          "adapter",
          "The controller's own client reads and writes a pool; another one sees the same.",
          "send us the report, and keep mode = shadow",
          AnswerChecks::adapter);

  private AnswerChecks() {}

  private static Finding apiVersion(Bench bench) throws InterruptedException {
    ArmExchange balancer = bench.needed(bench.get(bench.place().balancer().path()));
    String used = balancer.url().replaceFirst(".*api-version=", "");
    ArmExchange provider =
        bench.needed(
            bench
                .calls()
                .send(
                    "GET",
                    "/subscriptions/%s/providers/Microsoft.Network"
                        .formatted(bench.place().subscription()),
                    Optional.of("2021-04-01"),
                    Map.of(),
                    Optional.empty()));
    List<String> versions =
        StreamSupport.stream(provider.answer().path("resourceTypes").spliterator(), false)
            .filter(type -> type.path("resourceType").asText().equalsIgnoreCase("loadBalancers"))
            .flatMap(type -> StreamSupport.stream(type.path("apiVersions").spliterator(), false))
            .map(JsonNode::asText)
            .toList();
    String newest = versions.stream().max(String::compareTo).orElse("none named");
    return Finding.of(
        versions.isEmpty() || versions.contains(used), used + "; the newest: " + newest);
  }

  private static Finding rights(Bench bench) throws InterruptedException {
    ArmExchange answer =
        bench.needed(
            bench
                .calls()
                .send(
                    "GET",
                    bench.place().groupPath() + PERMISSIONS,
                    Optional.of("2022-04-01"),
                    Map.of(),
                    Optional.empty()));
    List<Grant> grants = new ArrayList<>();
    for (JsonNode one : answer.answer().path("value")) {
      grants.add(new Grant(texts(one.path("actions")), texts(one.path("notActions"))));
    }
    List<String> missing =
        Arrays.stream(AzureAction.values())
            .map(AzureAction::text)
            .filter(action -> grants.stream().noneMatch(grant -> grant.has(action)))
            .toList();
    return Finding.of(
        missing.isEmpty(),
        missing.isEmpty()
            ? "all %d actions".formatted(AzureAction.values().length)
            : "missing: " + String.join(", ", missing));
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  /** Adds an entry and takes it out again, so that the pool is as the recording shows it. */
  private static Finding adapter(Bench bench) throws InterruptedException {
    Address address = Address.of(Place.address(2_000));
    try {
      edit(bench, PoolEdit.of(Set.of(), Map.of(address, "added")));
      boolean added = bench.witness().states(FREE).containsKey("added");
      edit(bench, PoolEdit.of(Set.of(address), Map.of()));
      boolean removed = !bench.witness().states(FREE).containsKey("added");
      return Finding.of(
          added && removed,
          "an entry by another client: %s, then %s"
              .formatted(added ? "added" : "missing", removed ? "removed" : "still there"));
    } catch (ExecutionException failed) {
      return Finding.of(false, String.valueOf(failed.getMessage()));
    }
  }

  private static void edit(Bench bench, PoolEdit edit)
      throws InterruptedException, ExecutionException {
    var pool = bench.place().pool(FREE);
    Instant deadline = bench.now().plus(bench.permitDeadline());
    Future<Void> written =
        bench
            .adapter()
            .get(pool, deadline)
            .thenCompose(document -> bench.adapter().put(document, edit, deadline))
            .toCompletableFuture();
    try {
      written.get();
    } finally {
      written.cancel(true);
    }
  }

  private static Finding notFound(Bench bench) throws InterruptedException {
    ArmExchange answer = bench.getPool("none");
    return answer.status() == 0
        ? Finding.unknown(answer.outcome())
        : Finding.of(answer.status() == 404, answer.outcome());
  }

  private static Finding letterCase(Bench bench) throws InterruptedException {
    String path = bench.place().pool(USED).path();
    ArmExchange answer =
        bench.get(
            path.replace("/resourceGroups/", "/RESOURCEGROUPS/")
                .replace("/loadBalancers/", "/LOADBALANCERS/"));
    String id = answer.answer().path("id").asText();
    return Finding.of(
        answer.status() == 200 && id.equals(path),
        answer.outcome() + (id.equals(path) ? ", the id as created" : ", another id"));
  }

  private static Finding quotaHeaders(Bench bench) throws InterruptedException {
    ArmExchange read = bench.needed(bench.getPool(FREE));
    ArmExchange write = bench.needed(bench.put(FREE, bench.pool(2)));
    bench.follow(write);
    String left = left(read) + "; of a write: " + left(write);
    return Finding.of(!left(read).equals("none") && !left(write).equals("none"), left);
  }

  private static String left(ArmExchange answer) {
    String left =
        answer.headers().entrySet().stream()
            .filter(
                header ->
                    header.getKey().startsWith("x-ms-ratelimit-remaining-")
                        || header.getKey().startsWith("x-ms-throttle-"))
            .map(
                header ->
                    header.getKey().replaceFirst("x-ms-ratelimit-remaining-", "")
                        + " "
                        + header.getValue())
            .collect(Collectors.joining(", "));
    return left.isEmpty() ? "none" : left;
  }

  private static Finding times(Bench bench) throws InterruptedException {
    List<Long> reads = new ArrayList<>();
    List<Long> accepted = new ArrayList<>();
    List<Long> ended = new ArrayList<>();
    Instant last = bench.now().plus(SAMPLING);
    for (int i = 0; i < bench.samples() && bench.now().isBefore(last); i++) {
      reads.add(bench.needed(bench.getPool(FREE)).millis());
      Instant began = bench.now();
      ArmExchange write = bench.needed(bench.put(FREE, bench.pool(1 + i % 2)));
      accepted.add(write.millis());
      if (!bench.follow(write).succeeded()) {
        return Finding.unknown("a write failed");
      }
      ended.add(Duration.between(began, bench.now()).toMillis());
    }
    String seen =
        "p50, p90 and max of %d, in ms: GET %s; PUT accepted %s; PUT ended %s"
            .formatted(ended.size(), spread(reads), spread(accepted), spread(ended));
    long longest = ended.stream().mapToLong(Long::longValue).max().orElseThrow();
    return Finding.of(longest <= bench.permitDeadline().toMillis(), seen);
  }

  /** The median, the 90th percentile and the maximum, each a value that was measured. */
  static String spread(List<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    int last = sorted.size() - 1;
    return "%d/%d/%d"
        .formatted(
            sorted.get(last / 2),
            sorted.get((int) Math.ceil(0.9 * (last + 1)) - 1),
            sorted.get(last));
  }

  /** A second identity, which must not write. */
  static Assumption forbidden(Calls other) {
    return new Assumption(
        "forbidden",
        "A write without the right is 403, and its message names the action.",
        "a missing right shows in the log without its action: `poolkeeper doctor` names it",
        bench -> {
          ArmExchange answer =
              other.send(
                  "PUT",
                  bench.place().pool(FREE).path(),
                  Optional.empty(),
                  Map.of(),
                  Optional.of(bench.pool(1)));
          String action = AzureAction.WRITE_POOL.text();
          boolean names = answer.answer().at("/error/message").asText().contains(action);
          String seen = answer.outcome() + (names ? ", names " + action : ", names no action");
          if (answer.accepted()) {
            bench.follow(answer);
            return Finding.unknown(seen + ": the second identity may write");
          }
          return answer.status() == 0
              ? Finding.unknown(seen)
              : Finding.of(answer.status() == 403 && names, seen);
        });
  }
}
