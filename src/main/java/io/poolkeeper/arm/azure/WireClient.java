package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/**
 * The SDK's HTTP client over a {@link Wire}, which carries requests and answers in memory: the
 * simulator runs in virtual time and has no sockets.
 */
record WireClient(Wire wire) implements HttpClient {
  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    return send(request, Context.NONE);
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request, Context context) {
    String kind = context.getData(ArmCalls.KIND).map(Object::toString).orElse("");
    return Mono.defer(
        () -> {
          CompletableFuture<HttpResponse> response = new CompletableFuture<>();
          wire.send(onWire(request, kind), new Answering(request, response));
          return Mono.fromFuture(response);
        });
  }

  /** The answer, as the SDK waits for it. */
  private record Answering(HttpRequest request, CompletableFuture<HttpResponse> response)
      implements Wire.Reply {
    @Override
    public boolean awaited() {
      return !response.isDone();
    }

    @Override
    public void answered(Wire.Answer answer) {
      HttpHeaders headers = new HttpHeaders();
      answer
          .headers()
          .forEach((name, value) -> headers.set(HttpHeaderName.fromString(name), value));
      BinaryData body = BinaryData.fromString(answer.body());
      response.complete(new ReadResponse(request, new Answer(answer.status(), headers, body)));
    }

    @Override
    public void failed(IOException why) {
      response.completeExceptionally(why);
    }
  }

  private static Wire.Request onWire(HttpRequest request, String kind) {
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
        body == null ? "" : body.toString(),
        kind);
  }
}
