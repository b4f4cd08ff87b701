package io.poolkeeper.kube.binding;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Generates the custom resource definition from the records. */
final class CrdFile {
  /** What is checked in. */
  static final Path SHIPPED = Path.of("deploy", "first", "backendpoolbindings.yaml");

  private CrdFile() {}

  /** Writes the file into a directory. */
  static Path generate(Path directory) throws IOException {
    Files.createDirectories(directory);
    new CRDGenerator()
        .customResourceClasses(BackendPoolBinding.class)
        .forCRDVersions("v1")
        .withPostProcessor(
            new CRDPostProcessor() {
              @Override
              public HasMetadata process(HasMetadata crd, String version) {
                complete((CustomResourceDefinition) crd);
                return crd;
              }
            })
        .inOutputDir(directory.toFile())
        .detailedGenerate();
    return directory.resolve("backendpoolbindings.poolkeeper.io-v1.yml");
  }

  /**
   * What the annotations cannot say: the order of the columns, the kinds of lists, and that a text
   * is a time. And what the generator says twice.
   */
  private static void complete(CustomResourceDefinition crd) {
    CustomResourceDefinitionVersion version = crd.getSpec().getVersions().getFirst();
    List<String> columns =
        Arrays.stream(BackendPoolBinding.class.getAnnotationsByType(AdditionalPrinterColumn.class))
            .map(AdditionalPrinterColumn::name)
            .toList();
    version
        .getAdditionalPrinterColumns()
        .sort(Comparator.comparingInt(column -> columns.indexOf(column.getName())));
    JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
    root.setRequired(List.of("spec"));
    Map<String, JSONSchemaProps> spec = root.getProperties().get("spec").getProperties();
    spec.get("admissionChecks").setXKubernetesListType("set");
    Map<String, JSONSchemaProps> status = root.getProperties().get("status").getProperties();
    listMap(status.get("conditions"), "type");
    listMap(status.get("admissionChecks"), "name");
    Map<String, JSONSchemaProps> addresses = status.get("addresses").getProperties();
    addresses.values().forEach(list -> list.setXKubernetesListType("set"));
    everywhere(root);
  }

  private static void listMap(JSONSchemaProps list, String key) {
    list.setXKubernetesListType("map");
    list.setXKubernetesListMapKeys(List.of(key));
  }

  private static void everywhere(JSONSchemaProps schema) {
    if (schema.getXKubernetesValidations() != null) {
      schema.setXKubernetesValidations(
          schema.getXKubernetesValidations().stream().distinct().toList());
    }
    if (schema.getItems() != null) {
      everywhere(schema.getItems().getSchema());
    }
    Objects.requireNonNullElse(schema.getProperties(), Map.<String, JSONSchemaProps>of())
        .forEach(
            (name, property) -> {
              if (name.endsWith("Time") || name.endsWith("At")) {
                property.setFormat("date-time");
              }
              everywhere(property);
            });
  }
}
