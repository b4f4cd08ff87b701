/**
 * How many requests Resource Manager and the network provider let through. Pure: a request and the
 * monotonic time go in, a verdict comes out.
 */
@NullMarked
package io.poolkeeper.armsim.throttle;

import org.jspecify.annotations.NullMarked;
