package io.poolkeeper.lab.armsim;

import io.poolkeeper.lab.armsim.fault.FaultRule;
import io.poolkeeper.lab.armsim.protocol.ArmAnswer;
import io.poolkeeper.lab.armsim.protocol.ArmCall;
import io.poolkeeper.lab.armsim.protocol.ArmJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.ResponseEntity;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** Turns decisions into HTTP responses with the headers that Resource Manager always sends. */
final class Responses {
  /** JSON as Azure spells it, which has a needless charset. */
  static final ContentType JSON =
      MediaTypes.customWithOpenCharset("application", "json", Map.of(), false)
          .toContentType(HttpCharsets.custom("utf-8"));

  private static final DateTimeFormatter COMPACT =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final Map<String, String> CONSTANT =
      Map.of(
          "Cache-Control", "no-cache",
          "Pragma", "no-cache",
          "Expires", "-1",
          "Strict-Transport-Security", "max-age=31536000; includeSubDomains",
          "X-Content-Type-Options", "nosniff",
          "X-Cache", "CONFIG_NOCACHE");

  private final InstantSource clock;

  Responses(InstantSource clock) {
    this.clock = clock;
  }

  HttpResponse render(ArmCall call, SimAnswer answer) {
    Map<String, String> headers = new LinkedHashMap<>(CONSTANT);
    String correlation = answer.correlation();
    headers.put("x-ms-request-id", correlation);
    headers.put("x-ms-correlation-request-id", correlation);
    headers.put("x-ms-routing-request-id", "LAB:%s:%s".formatted(now(), correlation));
    return switch (answer) {
      case SimAnswer.Modelled modelled -> modelled(call, modelled, headers);
      case SimAnswer.Injected injected -> injected(injected.rule(), headers);
    };
  }

  private String now() {
    return COMPACT.format(clock.instant());
  }

  private static HttpResponse modelled(
      ArmCall call, SimAnswer.Modelled modelled, Map<String, String> headers) {
    ArmAnswer answer = modelled.answer();
    if (!answer.headers().containsKey("x-ms-failure-cause")) {
      headers.put("x-ms-arm-service-request-id", modelled.correlation());
      headers.putAll(remaining(call));
    }
    headers.putAll(answer.headers());
    byte[] bytes = answer.content().map(ArmJson::bytes).orElse(new byte[0]);
    Optional<ContentType> type =
        answer.content().isPresent() ? Optional.of(JSON) : Optional.empty();
    return response(answer.status(), headers, type, bytes, modelled.broken());
  }

  /** What is left of the throttles: for now always as much as a fresh subscription has. */
  private static Map<String, String> remaining(ArmCall call) {
    return switch (call.method()) {
      case GET, HEAD, OTHER -> remaining("reads", 249, 3749);
      case PUT, PATCH, POST -> remaining("writes", 199, 2999);
      case DELETE -> remaining("deletes", 199, 2999);
    };
  }

  private static Map<String, String> remaining(String kind, int local, int global) {
    return Map.of(
        "x-ms-ratelimit-remaining-subscription-" + kind, Integer.toString(local),
        "x-ms-ratelimit-remaining-subscription-global-" + kind, Integer.toString(global));
  }

  private static HttpResponse injected(FaultRule rule, Map<String, String> headers) {
    rule.retryAfter().ifPresent(value -> headers.put("Retry-After", value));
    byte[] bytes =
        rule.body()
            .map(body -> body.getBytes(StandardCharsets.UTF_8))
            .orElseGet(() -> error(rule.code()));
    Optional<ContentType> type =
        bytes.length == 0 ? Optional.empty() : Optional.of(contentType(rule.contentType()));
    return response(rule.status().orElse(500), headers, type, bytes, rule.reset());
  }

  private static byte[] error(String code) {
    return ArmJson.bytes(
        out -> {
          out.writeStartObject();
          out.writeObjectFieldStart("error");
          out.writeStringField("code", code);
          out.writeStringField("message", "Injected by a fault rule.");
          out.writeEndObject();
          out.writeEndObject();
        });
  }

  static ContentType contentType(String text) {
    return text.startsWith("application/json") ? JSON : ContentTypes.parse(text);
  }

  /** A plain answer of the simulator's own routes. */
  static HttpResponse json(int status, byte[] bytes) {
    return response(status, Map.of(), Optional.of(JSON), bytes, false);
  }

  private static HttpResponse response(
      int status,
      Map<String, String> headers,
      Optional<ContentType> type,
      byte[] bytes,
      boolean broken) {
    List<HttpHeader> raw =
        headers.entrySet().stream()
            .<HttpHeader>map(header -> RawHeader.create(header.getKey(), header.getValue()))
            .toList();
    StatusCode code =
        StatusCodes.lookup(status)
            .orElseGet(() -> StatusCodes.custom(status, "Injected", "", false, true));
    return HttpResponse.create()
        .withStatus(code)
        .withHeaders(raw)
        .withEntity(code.allowsEntity() ? entity(type, bytes, broken) : HttpEntities.EMPTY);
  }

  private static ResponseEntity entity(Optional<ContentType> type, byte[] bytes, boolean broken) {
    if (broken) {
      ByteString half = ByteString.fromArray(bytes, 0, bytes.length / 2);
      return HttpEntities.create(
          type.orElse(JSON),
          Math.max(1, bytes.length),
          Source.single(half).concat(Source.failed(new IOException("broken by a fault rule"))));
    }
    return type.map(known -> (ResponseEntity) HttpEntities.create(known, bytes))
        .orElse(HttpEntities.EMPTY);
  }
}
