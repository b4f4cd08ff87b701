package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.ScriptedArm.POOL;
import static io.poolkeeper.arm.azure.ScriptedArm.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PermitResult;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

class TokenWaitTest {
  private static final Duration SHORT = Duration.ofMillis(100);
  private final ArmException late =
      new ArmException(new ArmFailure(ArmFailure.Kind.AUTHENTICATION, 0, "", "no token"));

  /** A limit that is over when it is told so. */
  private static final class Limit implements Scheduler {
    private volatile Runnable over = () -> {};

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      over = task;
      return Disposables.single();
    }

    @Override
    public Disposable schedule(Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Worker createWorker() {
      throw new UnsupportedOperationException();
    }
  }

  private static Throwable end(Mono<?> call) {
    return end(Schedulers.parallel(), call);
  }

  private static Throwable end(Scheduler limit, Mono<?> call) {
    return TokenWait.within(SHORT, limit, call)
        .<Throwable>then(Mono.error(new AssertionError("did not fail")))
        .onErrorResume(Mono::just)
        .block();
  }

  private Mono<String> signIn() {
    return TokenWait.marked(Mono.never(), () -> late);
  }

  @Test
  void within_theCallWaitsForItsToken_failsWithThat() {
    assertThat(end(signIn())).isSameAs(late);
  }

  @Test
  void within_anotherLimitOfTheSameCallAroundTheToken_failsWithThat() {
    Mono<String> inner = TokenWait.within(Duration.ofDays(1), Schedulers.parallel(), signIn());

    assertThat(end(inner)).isSameAs(late);
  }

  @Test
  void within_theCallHasItsToken_isATimeout() {
    Mono<String> call = TokenWait.marked(Mono.just("token"), () -> late).then(Mono.never());

    assertThat(end(call)).isInstanceOf(TimeoutException.class);
  }

  @Test
  void apart_aLaterPartWaitsForItsToken_isATimeout() {
    assertThat(end(TokenWait.detached(signIn()))).isInstanceOf(TimeoutException.class);
  }

  @Test
  void of_theCallIsCancelled_signsInAllTheSame() {
    Sinks.One<String> token = Sinks.one();
    AtomicBoolean cancelled = new AtomicBoolean();

    end(TokenWait.marked(token.asMono().doOnCancel(() -> cancelled.set(true)), () -> late));

    assertThat(cancelled).isFalse();
  }

  @Test
  void put_waitsForATokenAfterATryThatMayHaveBeenTaken_staysInDoubt() {
    AtomicInteger asked = new AtomicInteger();
    Limit limit = new Limit();
    AccessToken expired = new AccessToken("token", OffsetDateTime.MIN);
    SignIn signIn =
        new SignIn(
            request ->
                asked.getAndIncrement() == 0
                    ? Mono.just(expired)
                    : Mono.<AccessToken>never().doOnSubscribe(any -> limit.over.run()),
            Optional::empty,
            "silent");
    HttpClient busy =
        request ->
            Mono.just(
                new ReadResponse(
                    request, new Answer(503, new HttpHeaders(), BinaryData.fromString(""))));
    Threads threads = Threads.ofMachine();
    ArmClient arm =
        ArmClient.over(
            busy,
            ScriptedArm.settings(URI.create("https://127.0.0.1")),
            new ArmClient.Policies(
                QUICK,
                ArmObserver.NONE,
                WriteFence.OPEN,
                ScriptedArm.LONGEST,
                ScriptedArm.CLOCKS,
                CallTracing.OFF),
            Optional.empty(),
            at -> List.of(new TokenPolicy(signIn, at.scope(), SHORT, threads.delays())),
            threads,
            () -> {});
    String url = arm.endpoint().url(POOL.path());

    Throwable failed = end(limit, arm.calls().put(POOL.loadBalancer(), url, "", new byte[0]));

    ArmFailure failure = ArmException.failureIn(failed);
    assertThat(failure.kind()).isEqualTo(ArmFailure.Kind.AUTHENTICATION);
    assertThat(failure.permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
  }
}
