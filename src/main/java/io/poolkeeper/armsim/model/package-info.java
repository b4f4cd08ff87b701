/**
 * Azure Resource Manager's load balancers as a pure model: calls in, answers out. No HTTP, no
 * actor, no clock and no randomness; guids are passed in.
 */
@NullMarked
package io.poolkeeper.armsim.model;

import org.jspecify.annotations.NullMarked;
