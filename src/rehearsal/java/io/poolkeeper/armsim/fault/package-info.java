/**
 * What can be set while the simulator runs: the behavior it has, and rules that make it answer
 * wrongly, late or not at all.
 */
@NullMarked
package io.poolkeeper.armsim.fault;

import org.jspecify.annotations.NullMarked;
