/**
 * The adapter of the {@code arm} ports over the HTTP pipeline of the Azure SDK. Pools are read and
 * written as raw JSON, because the typed models drop what they do not know.
 */
@NullMarked
package io.poolkeeper.arm.azure;

import org.jspecify.annotations.NullMarked;
