/**
 * Who may write: which replica leads, and whether the Lease that is shared with the cloud provider
 * is held (docs/topics/replicas.md, docs/topics/shared-lock.md).
 */
@NullMarked
package io.poolkeeper.lock;

import org.jspecify.annotations.NullMarked;
