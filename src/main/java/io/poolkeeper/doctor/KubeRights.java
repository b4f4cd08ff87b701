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
    needed.all("", "services", "list", "watch");
    needed.all("", "nodes", "list", "watch");
    needed.all("discovery.k8s.io", "endpointslices", "list", "watch");
    needed.all("", "namespaces", "list", "watch");
    needed.all("", "events", "list", "watch");
    if (!settings.shadow()) {
      needed.writes(settings);
    }
    needed.bindings(settings);
    if (!settings.http().access().open()) {
      needed.all("authentication.k8s.io", "tokenreviews", "create");
      needed.all("authorization.k8s.io", "subjectaccessreviews", "create");
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
    named(LEASES, "leases", namespace, election.name(), "list", "watch");
    if (election.enabled()) {
      named(LEASES, "leases", namespace, election.name(), "get", "update");
      named(LEASES, "leases", namespace, "", "create");
    }
  }

  /** Whether the roles of the manifests have it in write mode alone. */
  static boolean writer(KubeRight right) {
    return !right.group().equals(LEASES);
  }

  private void writes(Settings settings) {
    all("", "events", "create", "patch");
    if (settings.spot()) {
      all("", "nodes", "get", "patch");
    }
    if (settings.lock().enabled()) {
      String namespace = settings.lock().namespace();
      named(LEASES, "leases", namespace, settings.lock().name(), "get", "list", "watch", "update");
      named(LEASES, "leases", namespace, "", "create");
    }
    if (settings.admission().enabled()) {
      all(OWN, "backendpoolbindings", "get", "patch");
      all(OWN, "backendpoolbindings/status", "update");
      all(OWN, CONTROL, "control");
    }
  }

  private void bindings(Settings settings) {
    if (settings.admission().enabled()) {
      all(OWN, "backendpoolbindings", "list", "watch");
      named("", "namespaces", "", SYSTEM, "get");
    }
  }

  private void all(String group, String resource, String... verbs) {
    named(group, resource, "", "", verbs);
  }

  private void named(
      String group, String resource, String namespace, String name, String... verbs) {
    for (String verb : verbs) {
      rights.add(new KubeRight(verb, group, resource, namespace, name));
    }
  }
}
