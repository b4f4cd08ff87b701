package io.poolkeeper.arm;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Looks at Azure, read-only. */
public interface AzureProbe {
  /**
   * Asks everything at once, and waits a few seconds for each answer. Never fails but by a defect.
   *
   * @param groups resource groups to list; the first one's deny assignments are asked for, too
   * @param scopes where to ask for permissions
   */
  CompletionStage<AzureFacts> look(List<String> groups, List<String> scopes);
}
