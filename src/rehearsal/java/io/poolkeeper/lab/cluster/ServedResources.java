package io.poolkeeper.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kinds of objects that the embedded API server serves, and what it says of them to clients
 * like kubectl that ask before they send names. Of custom resources it serves those with a
 * definition, as a real one does: what is asked of any other is not found.
 */
final class ServedResources {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  /** Groups of Kubernetes have no dot, or end with its domain. */
  private static final Pattern CUSTOM =
      Pattern.compile("/apis/(?![^/]+\\.k8s\\.io/)[^/]+\\.[^/]+/[^/?]+");

  /** Of a group and a version; the one of the first group has no name. */
  private static final Pattern ROOT = Pattern.compile("/api(?:s/([^/]+))?/([^/]+)");

  private static final List<String> VERBS =
      List.of("create", "delete", "get", "list", "patch", "update", "watch");

  private static final Map<String, List<Resource>> STOCK =
      Map.of(
          "/api/v1",
          List.of(
              new Resource("namespaces", "Namespace", false, "ns"),
              new Resource("nodes", "Node", false, "no"),
              new Resource("nodes/status", "Node", false, ""),
              new Resource("services", "Service", true, "svc"),
              new Resource("pods", "Pod", true, "po"),
              new Resource("configmaps", "ConfigMap", true, "cm"),
              new Resource("events", "Event", true, "ev")),
          "/apis/coordination.k8s.io/v1",
          List.of(new Resource("leases", "Lease", true, "")),
          "/apis/discovery.k8s.io/v1",
          List.of(new Resource("endpointslices", "EndpointSlice", true, "")),
          "/apis/apiextensions.k8s.io/v1",
          List.of(
              new Resource("customresourcedefinitions", "CustomResourceDefinition", false, "crd")));

  /** By the path of their group and version. */
  private final Map<String, List<Resource>> served = new TreeMap<>(STOCK);

  /** A kind of object; {@code brief} is the short form of its name, empty if it has none. */
  private record Resource(String name, String kind, boolean namespaced, String brief) {
    ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("name", name).put("singularName", "").put("kind", kind);
      json.put("namespaced", namespaced);
      VERBS.forEach(json.putArray("verbs")::add);
      if (!brief.isEmpty()) {
        json.putArray("shortNames").add(brief);
      }
      return json;
    }
  }

  /** Hears of an object that is created, changed or deleted. */
  void changed(String path, String object, boolean deleted) {
    if (!path.startsWith(DEFINITIONS)) {
      return;
    }
    var spec = Serialization.unmarshal(object, CustomResourceDefinition.class).getSpec();
    var names = spec.getNames();
    Resource named =
        new Resource(names.getPlural(), names.getKind(), spec.getScope().equals("Namespaced"), "");
    for (var version : spec.getVersions()) {
      String root = "/apis/%s/%s".formatted(spec.getGroup(), version.getName());
      List<Resource> others = new ArrayList<>(served.getOrDefault(root, List.of()));
      others.remove(named);
      if (!deleted) {
        others.add(named);
      }
      if (others.isEmpty()) {
        served.remove(root);
      } else {
        served.put(root, others);
      }
    }
  }

  /** Whether a path may name objects; all others are the server's own. */
  boolean serves(String path) {
    Matcher custom = CUSTOM.matcher(path);
    return path.matches("/(api|apis/[^/]+)/[^/]+/.*")
        && (!custom.lookingAt() || served.containsKey(custom.group()));
  }

  /** What the server says of itself at this path; empty if nothing. */
  Optional<JsonNode> said(String path) {
    String asked = path.replaceFirst("\\?.*", "");
    return switch (asked) {
      case "/version" ->
          Optional.of(
              ServerJson.parse("{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.0\"}"));
      case "/api" ->
          Optional.of(ServerJson.parse("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}"));
      case "/apis" -> Optional.of(groups());
      default -> Optional.ofNullable(served.get(asked)).map(of -> resources(asked, of));
    };
  }

  private JsonNode groups() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = all.putArray("groups");
    for (String root : served.keySet()) {
      Matcher of = ROOT.matcher(root);
      if (of.matches() && of.group(1) != null) {
        ObjectNode group = groups.addObject().put("name", of.group(1));
        ObjectNode version = group.putArray("versions").addObject();
        version.put("groupVersion", of.group(1) + "/" + of.group(2)).put("version", of.group(2));
        group.set("preferredVersion", version);
      }
    }
    return all;
  }

  private static JsonNode resources(String root, List<Resource> of) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("kind", "APIResourceList").put("apiVersion", "v1");
    all.put("groupVersion", root.replaceFirst("/apis?/", ""));
    ArrayNode resources = all.putArray("resources");
    of.forEach(resource -> resources.add(resource.json()));
    return all;
  }
}
