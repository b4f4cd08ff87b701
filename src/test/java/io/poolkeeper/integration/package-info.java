/**
 * The whole controller in one JVM, over real HTTP and the real client libraries, against the
 * embedded API server and the ARM simulator.
 */
@NullMarked
package io.poolkeeper.integration;

import org.jspecify.annotations.NullMarked;
