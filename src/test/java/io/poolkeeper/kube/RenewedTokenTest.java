package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.poolkeeper.kube.RenewedToken.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RenewedTokenTest {
  private static final Duration LIFE = Duration.ofMinutes(5);

  private volatile Instant now = Instant.parse("2026-11-26T18:00:00Z");
  private final AtomicInteger fetches = new AtomicInteger();
  private volatile boolean broken;

  /** Numbers its tokens. */
  private Token fetch() {
    int number = fetches.incrementAndGet();
    if (broken) {
      throw new KubeconfigException("no answer " + number);
    }
    return new Token("t" + number, now.plus(LIFE));
  }

  @Test
  void getToken_fetchesAnewOnlyOnceItsTimeIsOver() {
    RenewedToken token = new RenewedToken(this::fetch, () -> now);

    now = now.plus(LIFE).minusMillis(1);
    assertThat(token.getToken()).isEqualTo("t1");
    assertThat(fetches).hasValue(1);
    now = now.plusMillis(1);
    await().until(() -> token.getToken().equals("t2"));
  }

  @Test
  void getToken_noOtherToBeHad_keepsTheOld_andAsksAgainAfterThePause() {
    RenewedToken token = new RenewedToken(this::fetch, () -> now);
    broken = true;
    now = now.plus(LIFE);

    assertThat(token.getToken()).isEqualTo("t1");
    await().until(() -> fetches.get() == 2);
    assertThat(token.getToken()).isEqualTo("t1");
    broken = false;
    now = now.plus(RenewedToken.PAUSE);
    await().until(() -> token.getToken().equals("t3"));
  }

  @Test
  void new_sourceThatFails_saysWhy() {
    broken = true;

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> new RenewedToken(this::fetch, () -> now))
        .withMessage("no answer 1");
  }

  /** A plugin may take a minute, and the library asks on the thread of all its timers. */
  @Test
  void getToken_manyRequestsWhileAFetchLasts_doNotWaitForIt() {
    CompletableFuture<Void> open = new CompletableFuture<>();
    RenewedToken token =
        new RenewedToken(
            () -> {
              Token next = fetch();
              if (fetches.get() > 1) {
                open.join();
              }
              return next;
            },
            () -> now);
    now = now.plus(LIFE);

    assertThat(IntStream.range(0, 50).mapToObj(i -> token.getToken())).containsOnly("t1");

    open.complete(null);
    await().until(() -> token.getToken().equals("t2"));
    assertThat(fetches).hasValue(2);
  }

  @Test
  void isToken_textThatNoHeaderCanHold_isNone() {
    assertThat(RenewedToken.isToken("eyJ.a-b_c~+/=")).isTrue();
    for (String text : Set.of("", "a b", "a\nb", "für")) {
      assertThat(RenewedToken.isToken(text)).as(text).isFalse();
    }
    assertThat(new Token("secret", now).toString()).doesNotContain("secret");
  }
}
