/** The program's entry and its root actor. */
@NullMarked
package io.poolkeeper;

import org.jspecify.annotations.NullMarked;
