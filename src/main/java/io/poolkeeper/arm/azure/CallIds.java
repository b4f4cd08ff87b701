package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RequestIdPolicy;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.RequestIds;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * The policy that sends {@code x-ms-client-request-id}, another one with each try of a call. The
 * answer is found with it, whether or not ARM repeats it, and so is a call that got no answer.
 */
final class CallIds implements HttpPipelinePolicy {
  private static final HttpHeaderName NAME = HttpHeaderName.X_MS_CLIENT_REQUEST_ID;

  private final HttpPipelinePolicy library = new RequestIdPolicy();

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return library
        .process(context, next)
        .doOnNext(response -> response.getHeaders().set(NAME, sent(context)))
        .onErrorMap(CallIds::unanswered, failed -> known(failed, sent(context)));
  }

  private static String sent(HttpPipelineCallContext context) {
    return Optional.ofNullable(context.getHttpRequest().getHeaders().getValue(NAME)).orElse("");
  }

  private static boolean unanswered(Throwable failed) {
    return !(failed instanceof ArmException)
        && ConnectionFailure.of(failed).filter(ConnectionFailure::unanswered).isPresent();
  }

  private static ArmException known(Throwable failed, String id) {
    return new ArmException(Failures.of(failed).failure().with(new RequestIds("", "", id)), failed);
  }
}
