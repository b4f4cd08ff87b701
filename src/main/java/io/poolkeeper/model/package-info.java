/**
 * The words of the domain as value records: validated in their constructors, free of any library.
 */
@NullMarked
package io.poolkeeper.model;

import org.jspecify.annotations.NullMarked;
