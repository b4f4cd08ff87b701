/**
 * The fault simulator: a cluster, Azure, their troubles and the controller's own cores in one queue
 * of virtual time, all of it from one seed (architecture, section 9).
 */
@NullMarked
package io.poolkeeper.simulation;

import org.jspecify.annotations.NullMarked;
