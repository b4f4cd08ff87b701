/** Who may write: which replica leads. */
@NullMarked
package io.poolkeeper.lock;

import org.jspecify.annotations.NullMarked;
