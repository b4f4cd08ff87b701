package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.doctor.RoleDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "role-definition",
    description = {
      "Prints the Azure custom role for the settings in force, as JSON.",
      "Make it with: az role definition create --role-definition @role.json"
    },
    footer = {"", "Example:", "  poolkeeper role-definition --config my.conf > role.json"})
final class RoleDefinitionCommand extends CliCommand implements Runnable {
  private final Map<String, String> env;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration (HOCON).")
  @SuppressWarnings("NullAway.Init") // Required.
  private Path config;

  RoleDefinitionCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public void run() {
    RoleDefinition role =
        RoleDefinition.of(SettingsLoader.loadForCommand(config, Optional.empty(), env));
    ObjectNode json = Leader.JSON.createObjectNode().put("Name", role.name());
    json.put("IsCustom", true).put("Description", role.description());
    role.actions().forEach(json.putArray("Actions")::add);
    List.of("NotActions", "DataActions", "NotDataActions").forEach(json::putArray);
    role.scopes().forEach(json.putArray("AssignableScopes")::add);
    Output.JSON.print(out(), json, answer -> List.of());
  }
}
