package io.poolkeeper.pool;

/** In the middle of which call of an attempt ARM refuses. */
enum Call {
  GET,
  PUT;

  /** A pool whose only Service wants n5 where n4 is, in the middle of this call. */
  PoolDriver underWay() {
    PoolDriver pool = PoolDriver.changed().reading();
    return this == GET ? pool : pool.read("n4");
  }

  /** What the permit comes to that ARM has refused in the middle of this call. */
  String refused() {
    return this == GET ? "return UNREAD" : "return FAILED";
  }
}
