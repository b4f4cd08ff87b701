/**
 * Judges from outside how long something stays wrong: facts in, violations out (docs/simulation.md,
 * Waiting). Facts carry their times; the simulator feeds them from virtual time, the lab from logs.
 * Nothing here knows the controller: what it may wait for is computed from the wire and the
 * settings once more.
 */
@NullMarked
package io.poolkeeper.judge;

import org.jspecify.annotations.NullMarked;
