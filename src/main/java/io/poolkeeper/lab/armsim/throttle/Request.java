package io.poolkeeper.lab.armsim.throttle;

import java.util.Optional;

/**
 * What the throttles need to know of a request. Names are in one case.
 *
 * @param principal stands for who asks, by a guid; never a token
 * @param region of the network resource that it is about; empty if the network provider has no part
 *     in it
 */
public record Request(String subscription, String principal, Kind kind, Optional<String> region) {}
