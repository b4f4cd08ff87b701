/**
 * What is followed of the cluster: levels on their way from watches to actors, and for how long.
 */
@NullMarked
package io.poolkeeper.watch;

import org.jspecify.annotations.NullMarked;
