/** When to try again: backoff, jitter and retry budget. All are pure. */
@NullMarked
package io.poolkeeper.retry;

import org.jspecify.annotations.NullMarked;
