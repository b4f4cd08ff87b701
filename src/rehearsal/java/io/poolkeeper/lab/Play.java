package io.poolkeeper.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scenario on its stage: what happens, and what must be so at its end. Used by one thread. */
interface Play {
  /** Runs before the controller starts. */
  default void prepare() throws InterruptedException {}

  /** Describes the state at the start. */
  default List<String> opening() {
    return List.of("starting up: the pools of web and reports are wrong and must be put right");
  }

  /** Runs once every pool is correct. */
  void play() throws InterruptedException;

  /** Adds the checks of its end, in the order of the report. */
  default void check(Judgement judgement) {
    judgement.ofOneWriter();
    judgement.ofPools();
    judgement.failures();
    judgement.ofRetries();
    judgement.ofNodes();
  }

  /** The cost of retries, if it measures that. */
  default LabReport.@Nullable Storm storm(Judgement judgement) {
    return null;
  }

  /** What the cloud provider met at the shared Lease, if it measures that. */
  default LabReport.@Nullable SharedLease sharedLease(Judgement judgement) {
    return null;
  }

  /** What the checks of bindings did, if it measures that. */
  default LabReport.@Nullable Admission admission(Judgement judgement) {
    return null;
  }
}
