/**
 * The services besides Resource Manager that stock clients need to sign in: the description of the
 * cloud, a directory that issues tokens, and a machine's managed identity. Pure. Every caller with
 * a request that Azure would understand gets a token. No token or secret is stored or logged.
 */
@NullMarked
package io.poolkeeper.armsim.identity;

import org.jspecify.annotations.NullMarked;
