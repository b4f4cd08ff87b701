/** The domain's value records, validated in their constructors, without any library. */
@NullMarked
package io.poolkeeper.model;

import org.jspecify.annotations.NullMarked;
