package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.poolkeeper.kube.RenewedToken.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
  void getToken_fetchesAnewOnlyOnceItHasExpired() {
    RenewedToken token = new RenewedToken(this::fetch, () -> now);

    now = now.plus(LIFE).minusMillis(1);
    assertThat(token.getToken()).isEqualTo("t1");
    now = now.plusMillis(1);
    assertThat(token.getToken()).isEqualTo("t2");
  }

  @Test
  void getToken_expiredAndNoOtherToBeHad_keepsTheOld_andAsksAgainAfterThePause() {
    RenewedToken token = new RenewedToken(this::fetch, () -> now);
    broken = true;
    now = now.plus(LIFE);

    assertThat(List.of(token.getToken(), token.getToken())).containsOnly("t1");
    assertThat(fetches).hasValue(2);
    broken = false;
    now = now.plus(RenewedToken.PAUSE);
    assertThat(token.getToken()).isEqualTo("t3");
  }

  @Test
  void new_sourceThatFails_saysWhy() {
    broken = true;

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> new RenewedToken(this::fetch, () -> now))
        .withMessage("no answer 1");
  }

  @Test
  void getToken_manyRequestsAtOnce_fetchOnce() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    RenewedToken token =
        new RenewedToken(
            () -> {
              Token next = fetch();
              if (fetches.get() > 1) {
                await(open);
              }
              return next;
            },
            () -> now);
    now = now.plus(LIFE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> all =
          IntStream.range(0, 50).mapToObj(i -> threads.submit(token::getToken)).toList();
      open.countDown();
      for (Future<String> one : all) {
        assertThat(one.get(10, TimeUnit.SECONDS)).isEqualTo("t2");
      }
    }
    assertThat(fetches).hasValue(2);
  }

  private static void await(CountDownLatch open) {
    try {
      open.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
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
