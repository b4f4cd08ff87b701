/**
 * Says what every pool ought to hold, from the API server's objects alone, and compares it with
 * what ARM holds. Shares no code with the controller that it judges.
 */
@NullMarked
package io.poolkeeper.lab.judge;

import org.jspecify.annotations.NullMarked;
