/**
 * One actor per backend pool, which keeps it equal to the desired members of the Services that own
 * it. Policy is in the core and its parts; the actor only runs effects.
 */
@NullMarked
package io.poolkeeper.pool;

import org.jspecify.annotations.NullMarked;
