/**
 * Azure Resource Manager as a pure model: calls in, answers out. Resources of any provider are JSON
 * documents: unknown members are kept, known types get the server's members. No HTTP, no actor, no
 * clock and no randomness; guids are passed in.
 */
@NullMarked
package io.poolkeeper.armsim.model;

import org.jspecify.annotations.NullMarked;
