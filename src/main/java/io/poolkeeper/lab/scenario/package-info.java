/** The cluster of a rehearsal, the scenarios, and the members that each change should lead to. */
@NullMarked
package io.poolkeeper.lab.scenario;

import org.jspecify.annotations.NullMarked;
