/**
 * The heart: one actor per backend pool that keeps it equal to the wish of the Services which own
 * it. Policy is in the core and its parts; the actor only runs effects.
 */
@NullMarked
package io.poolkeeper.pool;

import org.jspecify.annotations.NullMarked;
