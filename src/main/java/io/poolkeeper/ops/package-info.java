/** Monitoring: health, metrics and the state of every pool. Read-only. */
@NullMarked
package io.poolkeeper.ops;

import org.jspecify.annotations.NullMarked;
