@NullMarked
package io.poolkeeper.judge;

import org.jspecify.annotations.NullMarked;
