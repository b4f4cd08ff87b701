package io.poolkeeper.status;

import java.util.List;

/** A command that mends what a person must mend, and what it does. */
public record Fix(String text, String command) {
  static List<Fix> of(Cause cause, Installation self) {
    if (cause instanceof Cause.Refused refused) {
      return refused(refused.right());
    }
    return cause instanceof Cause.Paused
        ? List.of(
            new Fix(
                "End it earlier:",
                "kubectl -n %s annotate lease %s poolkeeper.io/paused-until- poolkeeper.io/paused-reason- poolkeeper.io/paused-drains-"
                    .formatted(self.namespace(), self.lease())))
        : List.of();
  }

  private static List<Fix> refused(MissingRight right) {
    String principal = right.objectId().isEmpty() ? "OBJECT_ID" : right.objectId();
    String scope = right.scope().isEmpty() ? "SCOPE" : right.scope();
    return List.of(
        new Fix(
            "Grant it there. Network Contributor has it; a smaller role with this action is enough.",
            """
              az role assignment create --role "Network Contributor" \\
                --assignee-object-id %s --assignee-principal-type ServicePrincipal \\
                --scope %s"""
                .formatted(principal, scope)),
        new Fix(
            "Azure takes up to 5 min to apply it. See whether it is there:",
            "az role assignment list --include-inherited --assignee %s --scope %s -o table"
                .formatted(principal, scope)));
  }
}
