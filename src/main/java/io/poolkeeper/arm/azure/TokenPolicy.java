package io.poolkeeper.arm.azure;

import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.policy.BearerTokenAuthenticationPolicy;
import io.poolkeeper.arm.ArmException;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Gives each try of a call a valid token. A call waits for a sign-in no longer than for a silent
 * ARM; the sign-in goes on, and later calls have its token. Every failure is one of authentication.
 */
final class TokenPolicy extends BearerTokenAuthenticationPolicy {
  private final SignIn signIn;
  private final Duration limit;
  private final Scheduler delays;

  TokenPolicy(SignIn signIn, String scope, Duration limit, Scheduler delays) {
    super(signIn, scope);
    this.signIn = signIn;
    this.limit = limit;
    this.delays = delays;
  }

  @Override
  public Mono<Void> authorizeRequest(HttpPipelineCallContext call) {
    return withLimit(call, super.authorizeRequest(call));
  }

  /** A token for a challenge of ARM's. */
  @Override
  public Mono<Void> setAuthorizationHeader(
      HttpPipelineCallContext call, TokenRequestContext request) {
    return withLimit(call, super.setAuthorizationHeader(call, request));
  }

  private Mono<Void> withLimit(HttpPipelineCallContext call, Mono<Void> token) {
    return TokenWait.within(
            limit,
            delays,
            TokenWait.marked(token, () -> ArmCalls.afterTriesOf(call, signIn.late())))
        .onErrorMap(
            failed -> !(failed instanceof ArmException), failed -> Failures.authentication(failed));
  }
}
