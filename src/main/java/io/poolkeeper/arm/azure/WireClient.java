package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The SDK's HTTP client over a {@link Wire}. */
record WireClient(Wire wire) implements HttpClient {
  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    return Mono.defer(
        () -> {
          CompletableFuture<HttpResponse> response = new CompletableFuture<>();
          wire.send(onWire(request), new Answering(request, response));
          return Mono.fromFuture(response);
        });
  }

  /** What comes back, as the SDK waits for it. */
  private record Answering(HttpRequest request, CompletableFuture<HttpResponse> response)
      implements Wire.Reply {
    @Override
    public boolean awaited() {
      return !response.isDone();
    }

    @Override
    public void answered(Wire.Answer answer) {
      response.complete(new Response(request, answer));
    }

    @Override
    public void failed(IOException why) {
      response.completeExceptionally(why);
    }
  }

  private static Wire.Request onWire(HttpRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    request
        .getHeaders()
        .forEach(
            header -> headers.put(header.getName().toLowerCase(Locale.ROOT), header.getValue()));
    BinaryData body = request.getBodyAsBinaryData();
    return new Wire.Request(
        request.getHttpMethod().toString(),
        request.getUrl().toString(),
        headers,
        body == null ? "" : body.toString());
  }

  /** An answer in the SDK's words. */
  private static final class Response extends HttpResponse {
    private final Wire.Answer answer;
    private final HttpHeaders headers;

    Response(HttpRequest request, Wire.Answer answer) {
      super(request);
      this.answer = answer;
      this.headers = new HttpHeaders();
      answer
          .headers()
          .forEach((name, value) -> headers.set(HttpHeaderName.fromString(name), value));
    }

    @Override
    public int getStatusCode() {
      return answer.status();
    }

    @Override
    @SuppressWarnings("deprecation") // Declared abstract by the SDK.
    public String getHeaderValue(String name) {
      return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public Flux<ByteBuffer> getBody() {
      return Flux.just(ByteBuffer.wrap(bytes()));
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
      return Mono.just(bytes());
    }

    private byte[] bytes() {
      return answer.body().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Mono<String> getBodyAsString() {
      return Mono.just(answer.body());
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
      return Mono.just(answer.body());
    }
  }
}
