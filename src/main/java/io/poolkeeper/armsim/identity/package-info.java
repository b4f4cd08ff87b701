/**
 * What stands beside Resource Manager so that stock clients sign in: the description of the cloud,
 * a directory that issues tokens, and a machine's managed identity. Pure, and knows nobody: every
 * caller gets a token, if it asks as it would have to ask Azure. No token and no secret is kept or
 * logged.
 */
@NullMarked
package io.poolkeeper.armsim.identity;

import org.jspecify.annotations.NullMarked;
