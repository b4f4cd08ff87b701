/** The world of a rehearsal, what happens in it, and what each change expects of ARM. */
@NullMarked
package io.poolkeeper.lab.scenario;

import org.jspecify.annotations.NullMarked;
