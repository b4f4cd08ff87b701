/** What all actors with a core have in common. */
@NullMarked
package io.poolkeeper.actor;

import org.jspecify.annotations.NullMarked;
