/**
 * Computes what every pool should hold from the API server's objects, and compares it with ARM.
 * Shares no code with the controller.
 */
@NullMarked
package io.poolkeeper.lab.judge;

import org.jspecify.annotations.NullMarked;
