package io.poolkeeper.armsim;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.poolkeeper.armsim.Responses.SimAnswer;
import io.poolkeeper.armsim.identity.IdentityCall;
import io.poolkeeper.armsim.identity.IdentityCall.IdentityAnswer;
import io.poolkeeper.armsim.identity.IdentityRoute;
import io.poolkeeper.armsim.identity.Jwt;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.Query;
import org.apache.pekko.http.javadsl.model.Uri;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.http.scaladsl.model.IllegalUriException;
import org.apache.pekko.util.ByteString;

/** Reads, parses and renders requests on any thread; the actor decides them. */
final class SimHttp {
  private static final int MAX_BODY_BYTES = 4 * 1024 * 1024;

  /**
   * A body is read up to here before the answer: a client that is still writing may miss the
   * answer.
   */
  private static final int MAX_READ_BYTES = 2 * MAX_BODY_BYTES;

  /** The correlation id of calls that are refused before they reach the actor. */
  private static final String NO_CORRELATION = new UUID(0, 0).toString();

  /** The parser's name of its source, which is removed from messages. */
  private static final Pattern SOURCE =
      Pattern.compile(" \\(start marker at \\[.*?\\]\\)|\\[Source:[^]]*\\]");

  private static final Duration BODY_TIMEOUT = Duration.ofSeconds(60);

  private final SimPort port;
  private final ArmSimSettings settings;
  private final Consumer<ArmCall> observer;
  private final Executor executor;
  private final Responses responses;
  private final OwnRoutes ownRoutes;
  private final IdentityHttp identity;

  SimHttp(SimPort port, ArmSimSettings settings, SimView view, Consumer<ArmCall> observer) {
    this.port = port;
    this.settings = settings;
    this.observer = observer;
    this.executor = port.system().dispatchers().lookup(DispatcherSelector.defaultDispatcher());
    this.responses = new Responses(settings.clock());
    this.ownRoutes = new OwnRoutes(port, view, executor);
    this.identity = new IdentityHttp(port.system(), settings.clock());
  }

  CompletionStage<HttpResponse> handle(HttpRequest request) {
    Optional<IdentityRoute> route = IdentityRoute.parse(request.getUri().path());
    if (route.isPresent()) {
      return identity.handle(request, route.get(), origin(request));
    }
    long arrived = settings.nanos().getAsLong();
    CompletionStage<Body> body =
        request
            .entity()
            .withSizeLimit(MAX_READ_BYTES)
            .toStrict(BODY_TIMEOUT.toMillis(), port.system())
            .thenApplyAsync(
                strict ->
                    strict.getData().size() > MAX_BODY_BYTES
                        ? new Body.TooLarge(MAX_BODY_BYTES)
                        : parse(strict.getData()),
                executor)
            .exceptionally(SimHttp::unreadable);
    return OwnRoutes.owns(request)
        ? body.thenCompose(read -> ownRoutes.handle(request, read))
        : body.thenCompose(read -> decide(request, read, arrived));
  }

  private CompletionStage<HttpResponse> decide(HttpRequest request, Body body, long arrived) {
    ArmCall call = call(request, body);
    observer.accept(call);
    String method = request.method().name();
    Caller caller = header(request, "Authorization").map(Caller::of).orElse(Caller.ANONYMOUS);
    Optional<ArmAnswer> refusal = refusal(request, call.origin());
    if (refusal.isPresent()) {
      return CompletableFuture.completedFuture(
          responses.render(SimAnswer.uncounted(NO_CORRELATION, refusal.get())));
    }
    return port.<SimAnswer>ask(
            replyTo -> new SimActor.Arrived(call, method, caller, arrived, replyTo))
        .thenApplyAsync(responses::render, executor);
  }

  private String origin(HttpRequest request) {
    return settings.access().scheme() + "://" + header(request, "Host").orElse("localhost");
  }

  private ArmCall call(HttpRequest request, Body body) {
    String path = request.getUri().path();
    Query query = request.getUri().query();
    return new ArmCall(
        Method.of(request.method().name()),
        path,
        request.getUri().rawQueryString().orElse(""),
        ArmPath.parse(path),
        origin(request),
        query.get("api-version").filter(version -> !version.isBlank()),
        header(request, "If-Match"),
        query.get("$skipToken"),
        body);
  }

  private static Optional<String> header(HttpRequest request, String name) {
    return request.getHeader(name).map(HttpHeader::value);
  }

  private static Body parse(ByteString bytes) {
    if (bytes.isEmpty()) {
      return new Body.Absent();
    }
    try {
      return new Body.Json(ArmJson.MAPPER.readTree(bytes.toArrayUnsafe()));
    } catch (JsonProcessingException wrong) {
      return new Body.Malformed(SOURCE.matcher(wrong.getOriginalMessage()).replaceAll(""));
    } catch (java.io.IOException impossibleInMemory) {
      return new Body.Malformed(impossibleInMemory.toString());
    }
  }

  private static Body unreadable(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof EntityStreamSizeException
        ? new Body.TooLarge(MAX_BODY_BYTES)
        : new Body.Malformed(cause.toString());
  }

  /**
   * The refusal of a call without a token or with one that has expired. Any other is accepted, from
   * any issuer.
   */
  private Optional<ArmAnswer> refusal(HttpRequest request, String origin) {
    if (!settings.access().tokenRequired()) {
      return Optional.empty();
    }
    Optional<String> token = header(request, "Authorization").flatMap(Jwt::bearer);
    if (token.isEmpty()) {
      return Optional.of(
          challenged(
              ArmError.NO_TOKEN.answer(),
              origin,
              "The authentication failed because of missing 'Authorization' header."));
    }
    Instant now = settings.clock().instant();
    return Jwt.parse(token.get())
        .filter(parsed -> parsed.expired(now))
        .map(expired -> ArmError.EXPIRED_TOKEN.answer(expired.expiry().orElse(now), now))
        .map(refusal -> challenged(refusal, origin, "The access token has expired."));
  }

  private static ArmAnswer challenged(ArmAnswer refusal, String origin, String why) {
    return refusal.with(
        "WWW-Authenticate",
        "Bearer authorization_uri=\"%s/common\", error=\"invalid_token\", error_description=\"%s\""
            .formatted(origin, why));
  }

  /**
   * Serves the identity routes. They are not part of Resource Manager: no latency, throttles, fault
   * rules and log.
   */
  record IdentityHttp(ActorSystem<?> system, InstantSource clock) {
    private static final int MAX_FORM_BYTES = 256 * 1024;
    private static final Duration BODY_TIMEOUT = Duration.ofSeconds(60);

    CompletionStage<HttpResponse> handle(HttpRequest request, IdentityRoute route, String origin) {
      return request
          .entity()
          .withSizeLimit(MAX_FORM_BYTES)
          .toStrict(BODY_TIMEOUT.toMillis(), system)
          .thenApply(strict -> strict.getData().decodeString(StandardCharsets.UTF_8))
          // Too long or incomplete: treated as empty, so the answer says what is missing.
          .exceptionally(unreadable -> "")
          .thenApply(
              body ->
                  render(
                      new IdentityCall(
                              request.method().name(),
                              route,
                              origin,
                              parameters(request.getUri().rawQueryString().orElse("")),
                              headers(request),
                              parameters(body))
                          .answer(clock.instant())));
    }

    private static Map<String, String> headers(HttpRequest request) {
      Map<String, String> headers = new LinkedHashMap<>();
      request
          .getHeaders()
          .forEach(header -> headers.putIfAbsent(header.lowercaseName(), header.value()));
      return headers;
    }

    private static Map<String, String> parameters(String text) {
      try {
        return Query.create(text, StandardCharsets.UTF_8, Uri.RELAXED).toMap();
      } catch (IllegalUriException noForm) {
        return Map.of();
      }
    }

    private static HttpResponse render(IdentityAnswer answer) {
      return Responses.json(answer.status(), answer.body())
          .addHeader(RawHeader.create("Cache-Control", "no-store, no-cache"))
          .addHeader(RawHeader.create("Pragma", "no-cache"));
    }
  }
}
