package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Instant;
import java.util.List;

/** The turnstile's policy without its actor, for tests of other packages. One visitor per pool. */
public final class TestTurnstile {
  /** The pool's turn. */
  public record Turn(PoolId pool, long number) {}

  private final TurnstileCore core = new TurnstileCore(TurnstileFixtures.WIDE);
  private TurnstileState state;

  public TestTurnstile(Instant now) {
    state = core.initial(now);
  }

  public List<Turn> request(PoolId pool, Lane lane, Instant now) {
    return send(new TurnstileEvent.Requested(new Requester(pool, 1), lane), now);
  }

  public List<Turn> cancel(PoolId pool, Instant now) {
    return send(new TurnstileEvent.Cancelled(new Requester(pool, 1)), now);
  }

  public List<Turn> giveBack(PoolId pool, long turn, TurnResult result, Instant now) {
    return send(new TurnstileEvent.Returned(new Requester(pool, 1), turn, result), now);
  }

  private List<Turn> send(TurnstileEvent event, Instant now) {
    Decision<TurnstileState, TurnstileEffect> decision =
        core.decide(state, event, now, TurnstileFixtures.RANDOM);
    state = decision.state();
    return decision.effects().stream()
        .filter(Grant.class::isInstance)
        .map(Grant.class::cast)
        .map(grant -> new Turn(grant.requester().pool(), grant.turn()))
        .toList();
  }
}
