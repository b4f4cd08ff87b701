/** Rehearsals: a cluster, an ARM simulator and this very controller in one process. */
@NullMarked
package io.poolkeeper.lab;

import org.jspecify.annotations.NullMarked;
