/** The simulator's certificates for https. Created at each start; no private key leaves memory. */
@NullMarked
package io.poolkeeper.armsim.tls;

import org.jspecify.annotations.NullMarked;
