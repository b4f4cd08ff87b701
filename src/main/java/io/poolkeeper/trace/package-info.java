/**
 * What the controller does, as traces (spec 2, Observability: trace spans around Azure SDK calls).
 * Derived from what the actors report: no core knows a span.
 */
@NullMarked
package io.poolkeeper.trace;

import org.jspecify.annotations.NullMarked;
