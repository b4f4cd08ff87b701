/** Fault injection: rules that make the simulator answer wrongly, late or not at all. */
@NullMarked
package io.poolkeeper.armsim.fault;

import org.jspecify.annotations.NullMarked;
