/** The lab's own API server: a convenience for people, good enough to rehearse on. */
@NullMarked
package io.poolkeeper.lab.cluster;

import org.jspecify.annotations.NullMarked;
