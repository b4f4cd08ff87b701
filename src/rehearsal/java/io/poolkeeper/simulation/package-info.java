/**
 * The fault simulator: this very program on a seeded dispatcher in virtual time, against a
 * simulated cluster and Azure, judged from outside (docs/simulation.md).
 */
@NullMarked
package io.poolkeeper.simulation;

import org.jspecify.annotations.NullMarked;
