/** Admission checks: outside authorities that may delay or refuse the writes of a pool (spec 5). */
@NullMarked
package io.poolkeeper.admission;

import org.jspecify.annotations.NullMarked;
