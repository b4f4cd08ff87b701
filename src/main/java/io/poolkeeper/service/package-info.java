/**
 * Mirrors Services, EndpointSlices, Nodes and load balancers, and sends every pool the addresses
 * that it should hold.
 */
@NullMarked
package io.poolkeeper.service;

import org.jspecify.annotations.NullMarked;
