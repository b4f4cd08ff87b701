package io.poolkeeper.lab.armsim;

import io.poolkeeper.lab.armsim.fault.Reset;
import io.poolkeeper.lab.armsim.protocol.ArmAnswer;
import io.poolkeeper.lab.armsim.throttle.Remaining;

/**
 * What the simulator has decided to answer; the HTTP side turns it into bytes.
 *
 * @param correlation a guid of this answer, for its headers
 * @param answer may name a content type of its own
 * @param remaining what the throttles still let through
 * @param reset whether the connection closes too early
 */
record SimAnswer(String correlation, ArmAnswer answer, Remaining remaining, Reset reset) {}
