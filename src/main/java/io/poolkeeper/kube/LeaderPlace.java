package io.poolkeeper.kube;

import java.net.URI;

/** Where the leader answers: in its pod, or as a process on this machine. */
public sealed interface LeaderPlace permits LeaderPod, LeaderPlace.Here {
  /** A process that listens on loopback, as in the lab. */
  record Here(URI url) implements LeaderPlace {}
}
