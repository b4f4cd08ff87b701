/** Checks of the simulator's answers and the controller's requests against Azure's swagger. */
@NullMarked
package io.poolkeeper.armsim.swagger;

import org.jspecify.annotations.NullMarked;
