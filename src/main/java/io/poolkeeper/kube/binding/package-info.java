/**
 * The resource BackendPoolBinding as the API server has it. The file in {@code deploy/first} is
 * generated from these records, so they hold the limits and rules of its schema, too.
 */
@NullMarked
package io.poolkeeper.kube.binding;

import org.jspecify.annotations.NullMarked;
