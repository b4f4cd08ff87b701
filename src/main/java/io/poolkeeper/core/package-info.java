/** The one shape of all cores: pure functions that decide. */
@NullMarked
package io.poolkeeper.core;

import org.jspecify.annotations.NullMarked;
