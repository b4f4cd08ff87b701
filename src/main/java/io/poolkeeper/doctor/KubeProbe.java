package io.poolkeeper.doctor;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Looks at the cluster, read-only. */
public interface KubeProbe {
  /**
   * Asks everything at once, and waits a few seconds for each answer. Never fails but by a defect.
   */
  CompletionStage<KubeFacts> look(List<KubeRight> rights, List<KubeFacts.LeaseName> leases);
}
