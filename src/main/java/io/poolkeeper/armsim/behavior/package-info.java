/** What can be chosen about the simulator while it runs, and its form as JSON. */
@NullMarked
package io.poolkeeper.armsim.behavior;

import org.jspecify.annotations.NullMarked;
