/** The program's entry. */
@NullMarked
package io.poolkeeper;

import org.jspecify.annotations.NullMarked;
