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

/**
 * The objects that are applied first, and those of kustomize, which are rendered from the chart.
 */
record Manifests(List<HasMetadata> objects, Map<?, ?> kustomization) {
  static final Path FIRST = Path.of("deploy", "first");
  static final Path KUSTOMIZE = Path.of("deploy", "kustomize");

  /** The overlay that most people use. */
  static final Path OVERLAY = KUSTOMIZE.resolve("overlays").resolve("workload-identity");

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  static Manifests read() {
    try (Stream<Path> first = Files.list(FIRST)) {
      List<HasMetadata> objects =
          Stream.concat(first.sorted(), Stream.of(KUSTOMIZE.resolve("base/poolkeeper.yaml")))
              .flatMap(Manifests::objectsOf)
              .toList();
      return new Manifests(
          objects, YAML.unmarshal(text(OVERLAY.resolve("kustomization.yaml")), Map.class));
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
          "there are %d %s, not one".formatted(found.size(), type.getSimpleName()));
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
        .filter(document -> !document.isBlank())
        .map(document -> YAML.unmarshal(document, HasMetadata.class));
  }
}
