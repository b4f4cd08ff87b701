package io.poolkeeper.status;

import io.poolkeeper.model.ShellCommand;
import java.util.List;

/** A command with which a person mends a cause, and what it does. */
public record Fix(String text, String command) {
  public static List<Fix> of(Cause cause, Installation self) {
    return switch (cause) {
      case Cause.Refused refused ->
          List.of(grant(refused.right(), self.cluster()), seen(refused.right()));
      case Cause.ResourceLock locked -> lock(locked.lock());
      case Cause.LockedGroup locked -> List.of(UNLOCK);
      case Cause.Paused paused ->
          List.of(
              new Fix(
                  "End it earlier:",
                  ShellCommand.of(
                      "kubectl -n %s annotate lease %s poolkeeper.io/paused-until-"
                          + " poolkeeper.io/paused-reason- poolkeeper.io/paused-drains-",
                      self.namespace(), self.lease())));
      default -> List.of();
    };
  }

  /** AKS locks its resource group down by a deny assignment, and is not the only one to do so. */
  public static final Fix UNLOCK =
      new Fix(
          "No role helps against a deny assignment. If AKS has set it, unlock its resource group:",
          """
          az aks update -g GROUP -n CLUSTER \\
            --nrg-lockdown-restriction-level Unrestricted\
          """);

  /** Shows the lock, or all that are where it is; its notes say what it is for. */
  private static List<Fix> lock(String lock) {
    if (!lock.startsWith("/")) {
      return List.of();
    }
    boolean single = lock.contains("/locks/");
    String url = single ? lock : lock + "/providers/Microsoft.Authorization/locks";
    return List.of(
        new Fix(
            "See it, and its notes:",
            ShellCommand.of("az rest --method get --url %s", url + "?api-version=2016-09-01")));
  }

  /** Grants a right to the identity that lacks it, by the cluster's own role, the smallest. */
  public static Fix grant(MissingRight right, String cluster) {
    return new Fix(
        "Grant it there. `poolkeeper role-definition` prints this role; make it first if it is not"
            + " there.",
        ShellCommand.of(
            """
            az role assignment create --role %s \\
              --assignee-object-id %s --assignee-principal-type ServicePrincipal \\
              --scope %s\
            """,
            "Poolkeeper " + cluster, principal(right), scope(right)));
  }

  private static Fix seen(MissingRight right) {
    return new Fix(
        "Azure takes up to 5 min to apply it. See whether it is there:",
        ShellCommand.of(
            "az role assignment list --include-inherited --assignee %s --scope %s -o table",
            principal(right), scope(right)));
  }

  private static String principal(MissingRight right) {
    return right.objectId().isEmpty() ? "OBJECT_ID" : right.objectId();
  }

  private static String scope(MissingRight right) {
    return right.scope().isEmpty() ? "SCOPE" : right.scope();
  }
}
