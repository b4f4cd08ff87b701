/**
 * Judges from outside how long something stays wrong: facts in, violations out (docs/simulation.md,
 * Waiting). It is weaker than the controller on purpose, and models nothing of it. It and what
 * feeds it have at most 840 lines.
 */
@NullMarked
package io.poolkeeper.judge;

import org.jspecify.annotations.NullMarked;
