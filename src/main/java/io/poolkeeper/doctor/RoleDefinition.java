package io.poolkeeper.doctor;

import io.poolkeeper.arm.AzureAction;
import io.poolkeeper.config.Settings;
import io.poolkeeper.doctor.AzureRight.Need;
import io.poolkeeper.model.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The smallest role at Azure that settings need.
 *
 * @param scopes where the role may be assigned: resource groups, and for following writes the
 *     subscription, as Azure takes no resource there
 */
public record RoleDefinition(
    String name, String description, List<String> actions, List<String> scopes) {
  public static RoleDefinition of(Settings settings) {
    List<AzureRight> rights =
        AzureRight.of(settings).stream().filter(right -> right.need() != Need.LATER).toList();
    List<String> scopes = rights.stream().flatMap(right -> right.scopes().stream()).toList();
    Stream<String> groups = scopes.stream().flatMap(scope -> AzureRight.group(scope).stream());
    Stream<String> whole = scopes.stream().filter(scope -> AzureRight.group(scope).isEmpty());
    return new RoleDefinition(
        "Poolkeeper " + settings.clusterName(),
        "What Poolkeeper needs in %s mode, and nothing else."
            .formatted(settings.shadow() ? "shadow" : "write"),
        rights.stream().map(AzureRight::action).map(AzureAction::text).toList(),
        distinct(Stream.concat(groups, whole)));
  }

  /** Without duplicates, ignoring case. */
  private static List<String> distinct(Stream<String> scopes) {
    Map<String, String> byName = new LinkedHashMap<>();
    scopes.forEach(scope -> byName.putIfAbsent(Names.fold(scope), scope));
    return List.copyOf(byName.values());
  }
}
