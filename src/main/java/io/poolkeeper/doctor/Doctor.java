package io.poolkeeper.doctor;

import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.AzureProbe;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.Look;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Looks at Azure and the cluster at once and says what is wrong. It reads only.
 *
 * @param namespace of the leader's Lease
 * @param wall the time of day
 */
public record Doctor(
    Settings settings, String namespace, AzureProbe azure, KubeProbe kube, InstantSource wall) {
  /** Takes a few seconds at most; {@code known} is read at the end. */
  public CompletionStage<Examination> examine(Supplier<Known> known) {
    Set<String> scopes = new LinkedHashSet<>();
    AzureRight.of(settings).forEach(right -> scopes.addAll(right.scopes()));
    return azure
        .look(AzureRight.groups(settings), List.copyOf(scopes))
        .thenCombine(
            kube.look(
                KubeChecks.rights(settings, namespace), KubeChecks.leases(settings, namespace)),
            (azureFacts, kubeFacts) -> examined(azureFacts, kubeFacts, known.get()));
  }

  private Examination examined(AzureFacts azureFacts, KubeFacts kubeFacts, Known known) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(new AzureChecks(settings, azureFacts, known).findings());
    findings.addAll(new KubeChecks(settings, namespace, kubeFacts, wall.instant()).findings());
    return new Examination(
        wall.instant(),
        AzureChecks.identity(azureFacts),
        kubeFacts.user() instanceof Look.Seen<String> seen ? seen.value() : "not known",
        findings);
  }
}
