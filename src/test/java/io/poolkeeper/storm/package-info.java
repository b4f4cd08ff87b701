/**
 * Hundreds of pools and their turnstile in virtual time: what an outage and a restart do to ARM.
 */
@NullMarked
package io.poolkeeper.storm;

import org.jspecify.annotations.NullMarked;
