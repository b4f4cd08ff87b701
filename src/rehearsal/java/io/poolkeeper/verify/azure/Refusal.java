package io.poolkeeper.verify.azure;

/** What a refusal of Azure means for a run, and what to do, in one message. */
final class Refusal {
  private Refusal() {}

  static String text(String group, int status, String code, String message) {
    String says = "%d %s: %s".formatted(status, code, message.strip());
    if (status == 0) {
      return "no answer of Azure: " + message;
    }
    return switch (code) {
      case "ResourceGroupNotFound" ->
          "resource group %s does not exist: make one for this run alone, az group create -n %1$s"
              .formatted(group);
      case "AuthorizationFailed", "LinkedAuthorizationFailed" ->
          "a right is missing; --dry-run lists all that are needed (" + says + ")";
      case "ScopeLocked" ->
          "a lock forbids it: take another group, or remove the lock (" + says + ")";
      case "RequestDisallowedByPolicy" ->
          "a policy forbids it: take a group that it does not cover (" + says + ")";
      default -> "Azure refuses: " + says;
    };
  }
}
