/** The one timer that an actor has. */
@NullMarked
package io.poolkeeper.timer;

import org.jspecify.annotations.NullMarked;
