/** What is worth trying again, and when: verdicts and numbers, pure. */
@NullMarked
package io.poolkeeper.retry;

import org.jspecify.annotations.NullMarked;
