package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer that was read to its end, in the form of the SDK. */
final class ReadResponse extends HttpResponse {
  private final Answer answer;

  ReadResponse(HttpRequest request, Answer answer) {
    super(request);
    this.answer = answer;
  }

  @Override
  public int getStatusCode() {
    return answer.status();
  }

  @Override
  @SuppressWarnings("deprecation") // Declared abstract by the SDK.
  public String getHeaderValue(String name) {
    return answer.headers().getValue(HttpHeaderName.fromString(name));
  }

  @Override
  public HttpHeaders getHeaders() {
    return answer.headers();
  }

  @Override
  public BinaryData getBodyAsBinaryData() {
    return answer.body();
  }

  @Override
  public Flux<ByteBuffer> getBody() {
    return Flux.just(answer.body().toByteBuffer());
  }

  @Override
  public Mono<byte[]> getBodyAsByteArray() {
    return Mono.just(answer.body().toBytes());
  }

  @Override
  public Mono<String> getBodyAsString() {
    return getBodyAsString(StandardCharsets.UTF_8);
  }

  @Override
  public Mono<String> getBodyAsString(Charset charset) {
    return Mono.just(new String(answer.body().toBytes(), charset));
  }
}
