package io.poolkeeper.ratelimit;

/** The reasons for a wait at the rate limiter, in the order of their checks. */
public enum Obstacle {
  /** One permit per load balancer. */
  TURN("another pool of the load balancer has the turn"),
  /** A 429 that was about this load balancer. */
  LOAD_BALANCER_GATE("ARM takes no calls for the load balancer"),
  /** GETs look for the end at growing intervals. */
  SETTLING("how a write of the load balancer ended is not known yet"),
  /** Early writes leave most of a load balancer's time to other clients. */
  EARLY_PAUSE("early writes leave the load balancer to others for a while"),
  /** The bound of permits in flight. */
  IN_FLIGHT("as many turns are out as may be"),
  /** A 429 that was about the subscription. */
  SUBSCRIPTION_GATE("ARM takes no calls of the subscription"),
  /** Permits start slowly after a throttle. */
  SLOW_START("after a pause, turns begin again slowly"),
  /** Each permit needs one. */
  READ_TOKENS("no read token is left"),
  /** Each permit needs one of these, too; drains have a reserve. */
  WRITE_TOKENS("no write token is left"),
  /** Early writes only. */
  EARLY_TOKENS("no token for early writes is left"),
  /** Retries and repairs only. */
  RETRY_BUDGET("the retry budget is empty"),
  /** Another client has it, or it is on its way. */
  LEASE("the shared Lease is not held"),
  NEXT("its turn is next");

  private final String text;

  Obstacle(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** Whether it is a gate that a 429 closed, or a bucket of ours that is empty. */
  boolean limitsRate() {
    return switch (this) {
      case LOAD_BALANCER_GATE,
          SUBSCRIPTION_GATE,
          SLOW_START,
          READ_TOKENS,
          WRITE_TOKENS,
          EARLY_TOKENS,
          RETRY_BUDGET ->
          true;
      case TURN, SETTLING, EARLY_PAUSE, IN_FLIGHT, LEASE, NEXT -> false;
    };
  }
}
