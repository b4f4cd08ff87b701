/** The simulator's settings that can change while it runs, and their JSON. */
@NullMarked
package io.poolkeeper.armsim.behavior;

import org.jspecify.annotations.NullMarked;
