package io.poolkeeper.pool;

/** A Service's tie to a pool and the level it wants there. */
public record Assigned(Assignment assignment, Level level) {}
