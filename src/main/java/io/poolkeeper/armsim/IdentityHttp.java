package io.poolkeeper.armsim;

import io.poolkeeper.armsim.identity.IdentityAnswer;
import io.poolkeeper.armsim.identity.IdentityCall;
import io.poolkeeper.armsim.identity.IdentityRoute;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.Query;
import org.apache.pekko.http.javadsl.model.Uri;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.scaladsl.model.IllegalUriException;

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
