package io.poolkeeper.house;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The objects in {@code deploy/}, without its examples, what is optional, and the alerts. */
record Manifests(List<Path> files, List<HasMetadata> objects, Map<?, ?> kustomization) {
  static final Path DIRECTORY = Path.of("deploy");
  private static final Path KUSTOMIZATION = DIRECTORY.resolve("kustomization.yaml");
  private static final List<Path> NOT_APPLIED =
      List.of(
          DIRECTORY.resolve("examples"),
          DIRECTORY.resolve("optional"),
          DIRECTORY.resolve("observability"));
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  static Manifests read() {
    try (Stream<Path> all = Files.walk(DIRECTORY)) {
      List<Path> files =
          all.filter(file -> file.toString().endsWith(".yaml"))
              .filter(file -> !file.equals(KUSTOMIZATION))
              .filter(file -> NOT_APPLIED.stream().noneMatch(file::startsWith))
              .sorted()
              .toList();
      return new Manifests(
          files,
          files.stream().flatMap(Manifests::objectsOf).toList(),
          YAML.unmarshal(text(KUSTOMIZATION), Map.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  <T extends HasMetadata> T only(Class<T> type) {
    List<T> found = all(type).toList();
    if (found.size() != 1) {
      throw new AssertionError(
          "%s holds %d %s, not one".formatted(DIRECTORY, found.size(), type.getSimpleName()));
    }
    return found.getFirst();
  }

  <T extends HasMetadata> Stream<T> all(Class<T> type) {
    return objects.stream().filter(type::isInstance).map(type::cast);
  }

  /** Whether an object of that kind and name is shipped. */
  boolean ship(Class<? extends HasMetadata> type, String name) {
    return all(type).anyMatch(object -> object.getMetadata().getName().equals(name));
  }

  private static Stream<HasMetadata> objectsOf(Path file) {
    return Arrays.stream(text(file).split("(?m)^---\\s*$", -1))
        .map(document -> YAML.unmarshal(document, HasMetadata.class));
  }
}
