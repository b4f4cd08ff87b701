package io.poolkeeper.doctor;

import io.poolkeeper.arm.CallsLeft;
import java.util.Optional;

/**
 * What this process knows from its other calls.
 *
 * @param refusal the last words of a deny assignment; empty if there were none
 */
public record Known(CallsLeft quota, Optional<String> refusal) {}
