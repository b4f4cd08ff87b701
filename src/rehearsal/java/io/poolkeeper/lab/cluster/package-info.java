/** The lab's embedded API server, which suffices for rehearsals. */
@NullMarked
package io.poolkeeper.lab.cluster;

import org.jspecify.annotations.NullMarked;
