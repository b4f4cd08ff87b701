package io.poolkeeper.pool;

/** A Service's ownership of a pool and its level there. */
public record Assigned(Assignment assignment, Level level) {}
