package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import reactor.core.publisher.Mono;

/**
 * Reads each answer to its end, whatever its status. Both time and size are bounded; failures are
 * {@link ArmException}s.
 */
record WholeAnswer(Limits limits, Threads threads) implements HttpPipelinePolicy {
  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return next.process()
        .flatMap(this::read)
        .timeout(limits.call(), threads.delays())
        // Large listings are not parsed on the thread that serves all connections.
        .publishOn(threads.work())
        .onErrorMap(Failures::of);
  }

  private Mono<HttpResponse> read(HttpResponse response) {
    return response
        .getBody()
        .collect(ByteArrayOutputStream::new, (all, part) -> append(response, all, part))
        .map(
            all ->
                new ReadResponse(
                    response.getRequest(),
                    new Answer(
                        response.getStatusCode(),
                        response.getHeaders(),
                        BinaryData.fromBytes(all.toByteArray()))));
  }

  private void append(HttpResponse response, ByteArrayOutputStream all, ByteBuffer part) {
    if (all.size() + part.remaining() > limits.body()) {
      throw new ArmException(
          new ArmFailure(
              ArmFailure.Kind.MALFORMED,
              response.getStatusCode(),
              "",
              "the answer is larger than " + limits.body() + " bytes"));
    }
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    all.writeBytes(bytes);
  }
}
