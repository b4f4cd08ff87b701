/**
 * The certificates that the simulator speaks https with. Made anew at each start; no private key
 * leaves the memory.
 */
@NullMarked
package io.poolkeeper.armsim.tls;

import org.jspecify.annotations.NullMarked;
