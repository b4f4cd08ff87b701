/**
 * One process of the controller: the Guardian and all that it starts, wired to the adapters. The
 * only room that knows them all.
 */
@NullMarked
package io.poolkeeper.process;

import org.jspecify.annotations.NullMarked;
