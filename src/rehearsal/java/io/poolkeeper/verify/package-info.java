/**
 * {@code poolkeeper verify-azure}: tries on a scratch load balancer of a user's own Azure what
 * Poolkeeper assumes of it (docs/need.md, What is proven), and reports what was seen.
 */
@org.jspecify.annotations.NullMarked
package io.poolkeeper.verify;
