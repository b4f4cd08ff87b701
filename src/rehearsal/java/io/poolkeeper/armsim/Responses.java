package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.fault.FaultRule.Reset;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.throttle.ThrottleDecision.Remaining;
import java.io.IOException;
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
import org.apache.pekko.http.scaladsl.model.headers.CustomHeader;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** Renders answers as HTTP responses with the headers that Resource Manager always sends. */
record Responses(InstantSource clock) {
  /** JSON with the charset that Azure sends. */
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

  HttpResponse render(SimAnswer answer) {
    Map<String, String> headers = new LinkedHashMap<>(CONSTANT);
    String correlation = answer.correlation();
    headers.put("x-ms-request-id", correlation);
    headers.put("x-ms-correlation-request-id", correlation);
    headers.put("x-ms-routing-request-id", "LAB:%s:%s".formatted(now(), correlation));
    if (answer.reset() == Reset.BEFORE) {
      return HttpResponse.create().addHeader(new Unsendable());
    }
    answer.remaining().map(Remaining::headers).ifPresent(headers::putAll);
    return modelled(answer, headers);
  }

  private String now() {
    return COMPACT.format(clock.instant());
  }

  private static HttpResponse modelled(SimAnswer decided, Map<String, String> headers) {
    ArmAnswer answer = decided.answer();
    if (!"gateway".equals(answer.headers().get("x-ms-failure-cause"))) {
      headers.put("x-ms-arm-service-request-id", decided.correlation());
    }
    headers.putAll(answer.headers());
    String named = headers.remove("Content-Type");
    byte[] bytes = answer.content().map(ArmJson::bytes).orElse(new byte[0]);
    Optional<ContentType> type =
        bytes.length == 0
            ? Optional.empty()
            : Optional.of(named == null ? JSON : contentType(named));
    return response(answer.status(), headers, type, bytes, decided.reset() == Reset.HALF);
  }

  static ContentType contentType(String text) {
    return text.startsWith("application/json") ? JSON : ContentTypes.parse(text);
  }

  static HttpResponse json(int status, JsonNode document) {
    return json(status, out -> out.writeTree(document));
  }

  static HttpResponse json(int status, ArmJson.Content content) {
    return response(status, Map.of(), Optional.of(JSON), ArmJson.bytes(content), false);
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

  /**
   * A header that fails when the response is rendered, so that the connection closes before its
   * first byte. The server has no other way: it answers 500 if a handler fails or returns no
   * response.
   */
  static final class Unsendable extends CustomHeader {
    @Override
    public String name() {
      return "unsendable";
    }

    @Override
    public String value() {
      throw new Withheld();
    }

    @Override
    public boolean renderInRequests() {
      return false;
    }

    @Override
    public boolean renderInResponses() {
      return true;
    }

    private static final class Withheld extends RuntimeException {
      private static final long serialVersionUID = 1L;

      Withheld() {
        super("answer withheld by a fault rule", null, false, false);
      }
    }
  }

  /**
   * An answer before it is rendered.
   *
   * @param correlation a guid of this answer, for its headers
   * @param answer may name a content type of its own
   * @param remaining the throttles' remaining calls; empty if the call was not counted
   * @param reset whether the connection closes early
   */
  record SimAnswer(
      String correlation, ArmAnswer answer, Optional<Remaining> remaining, Reset reset) {
    /** The answer to a call that the throttles did not count. */
    static SimAnswer uncounted(String correlation, ArmAnswer answer) {
      return new SimAnswer(correlation, answer, Optional.empty(), Reset.NONE);
    }

    /** The answer instead if the change could not be saved: a 500. */
    SimAnswer unsaved(String why) {
      String message =
          "The change is in effect and may be lost when the simulator ends: " + why + ".";
      ArmAnswer failed = ArmAnswer.provider(500, "InternalServerError", message);
      return new SimAnswer(correlation, failed, remaining, reset);
    }
  }
}
