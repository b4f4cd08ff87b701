/**
 * Mirrors Services, EndpointSlices, Nodes and load balancers, and tells every pool which addresses
 * it should hold.
 */
@NullMarked
package io.poolkeeper.service;

import org.jspecify.annotations.NullMarked;
