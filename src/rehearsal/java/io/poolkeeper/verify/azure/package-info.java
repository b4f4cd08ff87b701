/** The calls of {@code verify-azure} over the Azure SDK; {@code verify} itself knows ports only. */
@org.jspecify.annotations.NullMarked
package io.poolkeeper.verify.azure;
