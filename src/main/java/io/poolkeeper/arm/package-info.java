/**
 * The ports to Azure Resource Manager, in the controller's own words. Their adapter over the Azure
 * SDK is {@code arm.azure}.
 */
@NullMarked
package io.poolkeeper.arm;

import org.jspecify.annotations.NullMarked;
