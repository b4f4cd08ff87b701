package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL_BODY;
import static io.poolkeeper.arm.azure.ScriptedArm.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.RequestIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading one pool: what is sent, what is understood, and every way in which it fails. */
class AzureArmReadTest {
  private final ScriptedArm server = new ScriptedArm();
  private final List<String> observed = new CopyOnWriteArrayList<>();
  private final AzureArm arm = arm(server.base(), QUICK);

  private AzureArm arm(String endpoint, Limits limits) {
    return AzureArm.create(
        ScriptedArm.settings(URI.create(endpoint)),
        ScriptedArm.PATIENCE,
        ScriptedArm.LONGEST,
        (call, status, took) -> observed.add(call + " " + status),
        ScriptedArm.CLOCKS,
        limits,
        client -> Optional.empty());
  }

  @AfterEach
  void stop() {
    arm.close();
    server.close();
  }

  @Test
  void get_existingPool_sendsOneRequestAndGivesTheView() {
    server.answers(200, POOL_BODY);

    PoolView view = value(arm.get(POOL, Instant.MAX)).view();

    assertThat(view.etag()).isEqualTo("W/\"e1\"");
    assertThat(view.addresses()).extracting("text").containsExactly("10.0.0.1");
    assertThat(server.requests()).hasSize(1);
    ScriptedArm.Request request = server.requests().getFirst();
    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.uri()).isEqualTo(POOL.path() + "?api-version=2025-05-01");
    assertThat(request.headers().getFirst("User-Agent")).startsWith("poolkeeper/");
    assertThat(request.headers()).doesNotContainKeys("If-match", "Authorization");
    assertThat(observed).containsExactly("get 200");
  }

  @Test
  void look_existingPool_givesTheViewAndIsCountedApart() {
    server.answers(200, POOL_BODY);

    assertThat(value(arm.look(POOL, Instant.MAX)).etag()).isEqualTo("W/\"e1\"");
    assertThat(observed).containsExactly("look 200");
  }

  @Test
  void get_etagInHeaderOnly_isTakenFromThere() {
    server.answers(200, "{\"properties\":{}}", "ETag", "W/\"h\"");

    assertThat(value(arm.get(POOL, Instant.MAX)).view().etag()).isEqualTo("W/\"h\"");
  }

  @Test
  void get_answerAboutAnotherPool_isMalformed() {
    server.answers(200, POOL_BODY.replace("default-web\",\"etag", "other\",\"etag"));

    ArmFailure failure = failure(arm.get(POOL, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.MALFORMED);
    assertThat(failure.message()).contains("id is", "other");
  }

  @ParameterizedTest
  @CsvSource({
    "404,NotFound,Resource x not found.",
    "404,ResourceNotFound,The Resource 'lb' was not found.",
    "404,ResourceGroupNotFound,Resource group 'rg' could not be found.",
    "401,AuthenticationFailed,The access token has expired.",
    "403,AuthorizationFailed,The client does not have authorization."
  })
  void get_errorAnswer_keepsStatusCodeAndMessage(int status, String code, String message) {
    server.answers(
        status,
        "{\"error\":{\"code\":\"%s\",\"message\":\"%s\",\"details\":[]}}".formatted(code, message),
        "Retry-After",
        "1");

    ArmFailure failure = failure(arm.get(POOL, Instant.MAX));

    assertThat(failure)
        .isEqualTo(new ArmFailure(Kind.RESPONSE, status, code, message).with(failure.ids()));
    assertThat(server.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html><body>Sign in</body></html>",
        "{\"properties\":{\"loadBalancerBackendAddresses\":[{",
        "[]",
        "null",
        "{}",
        "{} {}",
        "{\"properties\":7}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":{}}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":[1]}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":[{\"name\":1}]}}",
        "{\"properties\":{\"loadBalancingRules\":[{}]}}"
      })
  void get_unreadableBody_isMalformed(String body) {
    server.answers(200, body, "Content-Type", "text/html");

    assertThat(failure(arm.get(POOL, Instant.MAX)).kind()).isEqualTo(Kind.MALFORMED);
  }

  @Test
  void get_errorAnswerInHtml_keepsTheStatus() {
    server.answers(400, "<html>Bad</html>", "Content-Type", "text/html");

    ArmFailure failure = failure(arm.get(POOL, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.RESPONSE);
    assertThat(failure.status()).isEqualTo(400);
    assertThat(failure.message()).contains("text/html");
  }

  @Test
  void get_answerTooLarge_isMalformed() {
    server.answers(200, "{\"x\":\"" + "x".repeat(QUICK.body()) + "\"}");

    assertThat(failure(arm.get(POOL, Instant.MAX)).message())
        .contains("larger than " + QUICK.body());
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 503, 504})
  void get_statusThatMayPass_isRepeatedInsideTheCall(int status) {
    server.answers(status, "").answers(status, "", "Retry-After", "0").answers(200, POOL_BODY);

    assertThat(value(arm.get(POOL, Instant.MAX)).view().id()).isEqualTo(POOL);
    assertThat(observed).containsExactly("get " + status, "get " + status, "get 200");
  }

  @Test
  void get_eachTry_hasAnIdOfItsOwnAndTheFailureThoseOfTheLast() {
    server.answers(503, "").answers(503, "").answers(503, "");
    server.answers(
        503, "", "x-ms-request-id", "r", "x-ms-correlation-request-id", "c", "Retry-After", "9");

    RequestIds ids = failure(arm.get(POOL, Instant.MAX)).ids();

    List<String> sent =
        server.requests().stream()
            .map(request -> request.headers().getFirst("x-ms-client-request-id"))
            .toList();
    assertThat(sent).doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9a-f-]{36}"));
    assertThat(ids).isEqualTo(new RequestIds("c", "r", sent.getLast()));
  }

  @Test
  void get_statusThatDoesNotPass_failsAfterAllRepetitions() {
    for (int i = 0; i <= QUICK.retries(); i++) {
      server.answers(503, "");
    }

    assertThat(failure(arm.get(POOL, Instant.MAX)).status()).isEqualTo(503);
    assertThat(server.requests()).hasSize(QUICK.retries() + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "Wed, 21 Oct 2026 07:28:00 GMT"})
  void get_longerRetryAfterThanAllowed_endsTheCall(String retryAfter) {
    server.answers(503, "", "Retry-After", retryAfter);

    assertThat(failure(arm.get(POOL, Instant.MAX)).status()).isEqualTo(503);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void get_serverErrorWithRetryAfter_keepsItWithinItsBounds() {
    Instant before = Instant.now();
    server.answers(503, "", "Retry-After", "60").answers(503, "", "Retry-After", "99999999");

    assertThat(failure(arm.get(POOL, Instant.MAX)).retryAfter().orElseThrow())
        .isBetween(before.plusSeconds(60), Instant.now().plusSeconds(60));
    assertThat(failure(arm.get(POOL, Instant.MAX)).retryAfter().orElseThrow())
        .isBefore(Instant.now().plus(Duration.ofHours(1)));
  }

  @Test
  void get_refusalWithRetryAfter_hasNoTimeOfItsOwn() {
    server.answers(403, "", "Retry-After", "60");

    assertThat(failure(arm.get(POOL, Instant.MAX)).retryAfter()).isEmpty();
  }

  @Test
  void get_nobodyListens_isNoConnection() {
    String gone = server.base();
    server.close();

    ArmFailure failure = failure(arm(gone, QUICK).get(POOL, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.UNCONNECTED);
    assertThat(failure.status()).isZero();
    assertThat(failure.message()).containsIgnoringCase("refused");
    assertThat(failure.ids()).isEqualTo(RequestIds.NONE);
    assertThat(observed).containsExactly("get 0");
  }

  @Test
  void get_connectionReset_isATransportFailure() throws IOException {
    try (var threads = Executors.newSingleThreadExecutor();
        var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      threads.execute(() -> resetAll(socket));
      String endpoint = "http://127.0.0.1:" + socket.getLocalPort();

      ArmFailure failure = failure(arm(endpoint, QUICK).get(POOL, Instant.MAX));

      assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
      assertThat(failure.inFull()).matches(".*\\(x-ms-client-request-id [0-9a-f-]{36}\\)");
    }
  }

  private static void resetAll(ServerSocket socket) {
    try {
      while (true) {
        Socket connection = socket.accept();
        int first = connection.getInputStream().read();
        connection.setSoLinger(first >= 0, 0);
        connection.close();
      }
    } catch (IOException closed) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(closed);
      }
    }
  }

  @Test
  void get_silentServer_isATransportFailureAfterTheLimit() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String endpoint = "http://127.0.0.1:" + socket.getLocalPort();

      ArmFailure failure =
          failure(arm(endpoint, ScriptedArm.quick(Duration.ofMillis(500))).get(POOL, Instant.MAX));

      assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
    }
  }
}
