/** The status page in a real browser. */
@NullMarked
package io.poolkeeper.page;

import org.jspecify.annotations.NullMarked;
