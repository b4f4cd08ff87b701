/**
 * The throttles of Resource Manager and the network provider. Pure: they map a request and the
 * monotonic time to a verdict.
 */
@NullMarked
package io.poolkeeper.armsim.throttle;

import org.jspecify.annotations.NullMarked;
