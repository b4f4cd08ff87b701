package io.poolkeeper.doctor;

import io.poolkeeper.config.Settings;
import java.util.ArrayList;
import java.util.List;

/** The rights in the cluster that settings need; the chart grants all of them. */
public final class KubeRights {
  /** Without it a status cannot be written where the optional policy is applied, and only there. */
  static final String CONTROL = "admissionchecks";

  private static final String LEASES = "coordination.k8s.io";
  private static final String OWN = "poolkeeper.io";
  private static final String SYSTEM = "kube-system";

  private final List<KubeRight> rights = new ArrayList<>();

  private KubeRights() {}

  /**
   * All that the settings need; in shadow mode nothing is written but the leader's Lease.
   *
   * @param namespace of the leader's Lease
   */
  public static List<KubeRight> of(Settings settings, String namespace) {
    KubeRights needed = new KubeRights();
    needed.onAll("", "services", "list", "watch");
    needed.onAll("", "nodes", "list", "watch");
    needed.onAll("discovery.k8s.io", "endpointslices", "list", "watch");
    needed.onAll("", "namespaces", "list", "watch");
    needed.onAll("", "events", "list", "watch");
    if (!settings.shadow()) {
      needed.writes(settings);
    }
    needed.bindings(settings);
    if (!settings.http().access().open()) {
      needed.onAll("authentication.k8s.io", "tokenreviews", "create");
      needed.onAll("authorization.k8s.io", "subjectaccessreviews", "create");
    }
    needed.leader(settings.election(), namespace);
    return List.copyOf(needed.rights);
  }

  /** What mode = write needs besides; nothing in that mode. */
  public static List<KubeRight> later(Settings settings, String namespace) {
    KubeRights needed = new KubeRights();
    if (settings.shadow()) {
      needed.writes(settings);
      needed.leader(settings.leaderElection(), namespace);
    }
    needed.rights.removeAll(of(settings, namespace));
    return List.copyOf(needed.rights);
  }

  private void leader(Settings.LeaderElection election, String namespace) {
    onLease(namespace, election.name(), "list", "watch");
    if (election.enabled()) {
      onLease(namespace, election.name(), "get", "update");
      onLease(namespace, "", "create");
    }
  }

  /** Whether the roles of the manifests have it in write mode alone. */
  static boolean writer(KubeRight right) {
    return !right.group().equals(LEASES);
  }

  private void writes(Settings settings) {
    onAll("", "events", "create", "patch");
    if (settings.spot()) {
      onAll("", "nodes", "get", "patch");
    }
    if (settings.lock().enabled()) {
      String namespace = settings.lock().namespace();
      onLease(namespace, settings.lock().name(), "get", "list", "watch", "update");
      onLease(namespace, "", "create");
    }
    if (settings.admission().enabled()) {
      onAll(OWN, "backendpoolbindings", "get", "patch");
      onAll(OWN, "backendpoolbindings/status", "update");
      onAll(OWN, CONTROL, "control");
    }
  }

  private void bindings(Settings settings) {
    if (settings.admission().enabled()) {
      onAll(OWN, "backendpoolbindings", "list", "watch");
      rights.add(new KubeRight("get", "", "namespaces", "", SYSTEM));
    }
  }

  /** The verbs on all objects of a kind in the cluster. */
  private void onAll(String group, String resource, String... verbs) {
    for (String verb : verbs) {
      rights.add(new KubeRight(verb, group, resource, "", ""));
    }
  }

  /** The verbs on a Lease, or on all of the namespace if the name is empty. */
  private void onLease(String namespace, String name, String... verbs) {
    for (String verb : verbs) {
      rights.add(new KubeRight(verb, LEASES, "leases", namespace, name));
    }
  }
}
