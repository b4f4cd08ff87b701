/** How objects of the cluster reach actors, as levels, and whether their watches are live. */
@NullMarked
package io.poolkeeper.watch;

import org.jspecify.annotations.NullMarked;
