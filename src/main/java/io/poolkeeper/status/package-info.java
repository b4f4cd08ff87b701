/** What people read: which pools are behind, why, until when, and what to do. Pure. */
@NullMarked
package io.poolkeeper.status;

import org.jspecify.annotations.NullMarked;
