/** The log of requests and the count of writes in flight. */
@NullMarked
package io.poolkeeper.armsim.journal;

import org.jspecify.annotations.NullMarked;
