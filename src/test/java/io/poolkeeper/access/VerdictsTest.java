package io.poolkeeper.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class VerdictsTest {
  private static final AccessVerdict GRANTED = new AccessVerdict.Granted("ann");
  private static final Verdicts.Key ANN = Verdicts.Key.of(new Token("a"), Area.VIEW);

  private final Verdicts verdicts = new Verdicts();
  private final Instant now = Instant.EPOCH;

  @Test
  void grant_countsForAMinute_andForItsAreaAlone() {
    verdicts.keep(ANN, GRANTED, now);

    assertThat(verdicts.find(ANN, now.plus(Verdicts.GRANTED).minusNanos(1))).contains(GRANTED);
    assertThat(verdicts.find(ANN, now.plus(Verdicts.GRANTED))).isEmpty();
    assertThat(verdicts.find(Verdicts.Key.of(new Token("a"), Area.METRICS), now)).isEmpty();
    assertThat(verdicts.find(Verdicts.Key.of(new Token("b"), Area.VIEW), now)).isEmpty();
  }

  @Test
  void refusal_countsForSeconds_andNoAnswerNotAtAll() {
    verdicts.keep(ANN, new AccessVerdict.NoUser(), now);
    assertThat(verdicts.find(ANN, now.plus(Verdicts.REFUSED).minusNanos(1))).isPresent();
    assertThat(verdicts.find(ANN, now.plus(Verdicts.REFUSED))).isEmpty();

    Verdicts.Key unknown = Verdicts.Key.of(new Token("b"), Area.VIEW);
    verdicts.keep(unknown, new AccessVerdict.Unanswered("down"), now);
    assertThat(verdicts.find(unknown, now)).isEmpty();
  }

  @Test
  void grantWhoseRenewalGetsNoAnswer_countsToItsEnd() {
    Instant late = now.plus(Verdicts.GRANTED).minusNanos(1);
    verdicts.keep(ANN, GRANTED, now);
    assertThat(verdicts.ends(ANN, late)).isTrue();

    verdicts.keep(ANN, new AccessVerdict.Unanswered("down"), late);

    assertThat(verdicts.find(ANN, late)).contains(GRANTED);
    assertThat(verdicts.find(ANN, now.plus(Verdicts.GRANTED))).isEmpty();
  }

  @Test
  void tooManyRefusals_doNotPushOutAGrant() {
    verdicts.keep(ANN, GRANTED, now);
    for (int i = 0; i < 2 * Verdicts.MAX_VERDICTS; i++) {
      Verdicts.Key key = Verdicts.Key.of(new Token("bad" + i), Area.VIEW);
      verdicts.keep(key, new AccessVerdict.NoUser(), now.plusNanos(i));
    }

    Verdicts.Key first = Verdicts.Key.of(new Token("bad0"), Area.VIEW);
    assertThat(verdicts.find(ANN, now)).contains(GRANTED);
    assertThat(verdicts.find(first, now)).isEmpty();
  }
}
