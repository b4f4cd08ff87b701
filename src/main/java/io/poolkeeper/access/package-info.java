/** Who may read what over HTTP, as Kubernetes decides it. */
@NullMarked
package io.poolkeeper.access;

import org.jspecify.annotations.NullMarked;
