package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;

/** In the middle of which call of an attempt ARM refuses. */
enum Call {
  GET,
  PUT;

  /** A pool whose only Service wants n5 where n4 is, in the middle of this call. */
  PoolDriver underWay() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    return this == GET ? pool.toReading() : pool.toWriting("n4=10.0.0.4");
  }

  /** What the turn comes to that ARM has refused in the middle of this call. */
  PoolEffect refused(long turn) {
    return this == GET ? PoolFixtures.unread(turn) : PoolFixtures.badly(turn);
  }
}
