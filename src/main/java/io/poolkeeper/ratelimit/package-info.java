/**
 * The rate limiter: which pool may read and write at its load balancer now. A load balancer has one
 * permit out at most; many load balancers are served at once.
 */
@NullMarked
package io.poolkeeper.ratelimit;

import org.jspecify.annotations.NullMarked;
