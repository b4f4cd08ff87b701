package io.poolkeeper.lab.armsim;

import io.poolkeeper.lab.armsim.fault.FaultRule;
import io.poolkeeper.lab.armsim.protocol.ArmAnswer;

/** What the simulator has decided to answer; the HTTP side turns it into bytes. */
sealed interface SimAnswer {
  /** A guid of this answer, for its headers. */
  String correlation();

  /** The model's answer; {@code broken} closes the connection in the middle of it. */
  record Modelled(String correlation, ArmAnswer answer, boolean broken) implements SimAnswer {}

  /** A fault rule's answer. */
  record Injected(String correlation, FaultRule rule) implements SimAnswer {}
}
