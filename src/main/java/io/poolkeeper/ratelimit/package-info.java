/**
 * Who may talk to a load balancer now. So far it serialises the attempts of the pools of one load
 * balancer; many load balancers are served at once.
 */
@NullMarked
package io.poolkeeper.ratelimit;

import org.jspecify.annotations.NullMarked;
