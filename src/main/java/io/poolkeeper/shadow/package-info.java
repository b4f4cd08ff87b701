/**
 * What shadow mode has decided without writing it, and what became of it. User documentation:
 * docs/topics/try-safely.md.
 */
@NullMarked
package io.poolkeeper.shadow;

import org.jspecify.annotations.NullMarked;
