/**
 * The common form of Resource Manager's calls and answers: paths, versions, bodies, errors, links
 * and pages. Pure: no HTTP, no actor, no clock and no randomness.
 */
@NullMarked
package io.poolkeeper.armsim.protocol;

import org.jspecify.annotations.NullMarked;
