/**
 * A simulator of Azure Resource Manager for load balancers and their backend pools, over HTTP on
 * loopback. One actor owns the state; the model behind it is pure.
 */
@NullMarked
package io.poolkeeper.armsim;

import org.jspecify.annotations.NullMarked;
