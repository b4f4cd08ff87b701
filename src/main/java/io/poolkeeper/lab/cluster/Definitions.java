package io.poolkeeper.lab.cluster;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The custom resources that the embedded API server serves, as a real one does: those with a
 * definition. What is asked of any other is not found.
 */
final class Definitions {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  /** Groups of Kubernetes have no dot, or end with its domain. */
  private static final Pattern CUSTOM =
      Pattern.compile("/apis/(?![^/]+\\.k8s\\.io/)[^/]+\\.[^/]+/[^/?]+");

  private final Set<String> served = new HashSet<>();

  /** Hears of an object that is created, changed or deleted. */
  void changed(String path, String object, boolean deleted) {
    if (!path.startsWith(DEFINITIONS)) {
      return;
    }
    var spec = Serialization.unmarshal(object, CustomResourceDefinition.class).getSpec();
    for (var version : spec.getVersions()) {
      String root = "/apis/%s/%s".formatted(spec.getGroup(), version.getName());
      if (deleted) {
        served.remove(root);
      } else {
        served.add(root);
      }
    }
  }

  boolean serves(String path) {
    Matcher custom = CUSTOM.matcher(path);
    return !custom.lookingAt() || served.contains(custom.group());
  }
}
