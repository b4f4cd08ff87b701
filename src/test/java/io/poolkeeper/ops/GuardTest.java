package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.access.AccessPolicy.Authorization;
import io.poolkeeper.access.AccessVerdict;
import io.poolkeeper.access.Area;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.RemoteAddress;
import org.apache.pekko.http.javadsl.model.headers.Host;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.Directives;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a guarded route answers, and how often Kubernetes is asked for that. */
class GuardTest {
  private final ActorTestKit kit = ActorTestKit.create();
  private final Map<String, CompletableFuture<AccessVerdict>> verdicts = new ConcurrentHashMap<>();
  private final List<String> reviewed = new CopyOnWriteArrayList<>();
  private volatile Instant now = Instant.EPOCH;
  private final Guard guard =
      new Guard(
          kit.system(),
          new AccessPolicy(Authorization.REQUIRED, true, false),
          kit.spawn(AccessActor.create((token, area) -> review(token.value()), () -> now)));

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private CompletionStage<AccessVerdict> review(String token) {
    reviewed.add(token);
    return verdicts.computeIfAbsent(token, none -> new CompletableFuture<>());
  }

  private void verdict(String token, AccessVerdict verdict) {
    verdicts.computeIfAbsent(token, none -> new CompletableFuture<>()).complete(verdict);
  }

  private CompletionStage<HttpResponse> get(String peer, String host, String token)
      throws Exception {
    HttpRequest request =
        HttpRequest.GET("/")
            .addHeader(Host.create(host, 8558))
            .addAttribute(
                AttributeKeys.remoteAddress, RemoteAddress.create(InetAddress.getByName(peer)));
    return guard
        .protect(Area.VIEW, () -> Directives.complete("data"))
        .function(kit.system())
        .apply(
            token.isEmpty()
                ? request
                : request.addHeader(RawHeader.create("Authorization", "Bearer " + token)));
  }

  private String answer(CompletionStage<HttpResponse> stage) throws Exception {
    HttpResponse answer = stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    String body =
        answer
            .entity()
            .toStrict(1_000, kit.system())
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS)
            .getData()
            .utf8String();
    String challenge =
        answer.getHeader("WWW-Authenticate").map(header -> " " + header.value()).orElse("");
    return answer.status().intValue() + challenge + " " + body.strip();
  }

  static Stream<Arguments> verdictsAndAnswers() {
    return Stream.of(
        Arguments.of(new AccessVerdict.Granted("ann"), "200 data"),
        Arguments.of(
            new AccessVerdict.Forbidden("bob"),
            "403 bob may not get /: bind ClusterRole poolkeeper-viewer to it"),
        Arguments.of(
            new AccessVerdict.NoUser(),
            "401 Bearer the API server does not accept this token for the audience poolkeeper:"
                + " kubectl create token ACCOUNT --audience poolkeeper"),
        Arguments.of(
            new AccessVerdict.Unanswered("HTTP 500"),
            "503 the API server cannot be asked about the token, or too many are asked about"));
  }

  @ParameterizedTest
  @MethodSource("verdictsAndAnswers")
  void token_isAnsweredByItsVerdict(AccessVerdict verdict, String expected) throws Exception {
    verdict("t", verdict);

    assertThat(answer(get("10.0.0.9", "pod", "t"))).isEqualTo(expected);
  }

  @Test
  void noToken_isRefusedUnasked_butFromLoopbackNoneIsNeeded() throws Exception {
    assertThat(answer(get("10.0.0.9", "localhost", "")))
        .isEqualTo("401 Bearer a bearer token of this cluster is needed");
    assertThat(answer(get("127.0.0.1", "localhost", ""))).isEqualTo("200 data");
    assertThat(answer(get("127.0.0.1", "evil.example", ""))).startsWith("401");
    assertThat(reviewed).isEmpty();
  }

  @Test
  void oneToken_isReviewedOnceForAllWhoAsk_andAgainOnlyIfThereWasNoAnswer() throws Exception {
    var first = get("10.0.0.9", "pod", "t");
    var second = get("10.0.0.8", "pod", "t");
    verdict("t", new AccessVerdict.Granted("ann"));

    assertThat(List.of(answer(first), answer(second))).containsOnly("200 data");
    assertThat(answer(get("10.0.0.7", "pod", "t"))).isEqualTo("200 data");
    assertThat(reviewed).containsExactly("t");

    verdict("down", new AccessVerdict.Unanswered("HTTP 500"));
    answer(get("10.0.0.9", "pod", "down"));
    answer(get("10.0.0.9", "pod", "down"));
    assertThat(reviewed).containsExactly("t", "down", "down");
  }

  @Test
  void tooManyTokens_areNotReviewed_andWhoIsKnownIsServed() throws Exception {
    verdict("known", new AccessVerdict.Granted("ann"));
    answer(get("10.0.0.9", "pod", "known"));
    for (int i : IntStream.range(0, AccessActor.MOST).toArray()) {
      get("10.0.0." + i / AccessActor.OF_ONE, "pod", "slow" + i);
    }
    Awaitility.await().until(() -> reviewed.size() > AccessActor.MOST);

    assertThat(answer(get("10.0.0.9", "pod", "more"))).startsWith("503").contains("too many");
    assertThat(answer(get("10.0.0.9", "pod", "known"))).isEqualTo("200 data");
  }

  @Test
  void madeUpTokensOfOneAddress_leavePlacesForOthers() throws Exception {
    for (int i : IntStream.range(0, AccessActor.OF_ONE).toArray()) {
      get("10.0.0.9", "pod", "slow" + i);
    }
    verdict("t", new AccessVerdict.Granted("ann"));

    assertThat(answer(get("10.0.0.9", "pod", "more"))).startsWith("503");
    assertThat(answer(get("10.0.0.8", "pod", "t"))).isEqualTo("200 data");
  }

  @Test
  void grantInUse_isRenewedBeforeItEnds_whileMadeUpTokensTakeAllPlaces() throws Exception {
    verdict("t", new AccessVerdict.Granted("ann"));
    answer(get("10.0.0.9", "pod", "t"));
    for (int i : IntStream.range(0, AccessActor.MOST).toArray()) {
      get("10.0.1." + i / AccessActor.OF_ONE, "pod", "slow" + i);
    }
    now = Instant.EPOCH.plusSeconds(44);
    answer(get("10.0.0.9", "pod", "t"));
    assertThat(reviewed).filteredOn("t"::equals).hasSize(1);

    now = Instant.EPOCH.plusSeconds(45);
    assertThat(answer(get("10.0.0.9", "pod", "t"))).isEqualTo("200 data");
    Awaitility.await().until(() -> reviewed.stream().filter("t"::equals).count() == 2);
    now = Instant.EPOCH.plusSeconds(80);
    assertThat(answer(get("10.0.0.9", "pod", "t"))).isEqualTo("200 data");
  }
}
