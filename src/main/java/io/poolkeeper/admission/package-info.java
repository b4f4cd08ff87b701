/**
 * Bindings of pools that something else manages, and their admission checks: outside authorities
 * that may delay or refuse writes (spec 5).
 */
@NullMarked
package io.poolkeeper.admission;

import org.jspecify.annotations.NullMarked;
