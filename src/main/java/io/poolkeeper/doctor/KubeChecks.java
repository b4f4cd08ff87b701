package io.poolkeeper.doctor;

import io.poolkeeper.config.Settings;
import io.poolkeeper.doctor.KubeFacts.Lease;
import io.poolkeeper.doctor.KubeFacts.LeaseName;
import io.poolkeeper.model.Look;
import io.poolkeeper.model.Look.Failed;
import io.poolkeeper.model.Look.Seen;
import io.poolkeeper.model.ShellCommand;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The findings about the cluster; the namespace is that of the leader's Lease. */
record KubeChecks(Settings settings, String namespace, KubeFacts facts, Instant now) {
  private static final String LEADER = "kube: leader's Lease";
  private static final String SHARED = "kube: shared Lease";
  private static final String BINDINGS = "kube: bindings";

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    rights(findings);
    findings.add(leader());
    findings.add(shared());
    findings.add(bindings());
    findings.add(Finding.clock("kube: clock", "The API server", facts.ahead()));
    return findings;
  }

  /** A finding for each resource; one in all if none can be asked about. */
  private void rights(List<Finding> findings) {
    List<KubeRight> needed = rights(settings, namespace);
    List<Optional<String>> unknown =
        needed.stream().map(right -> unknown(look(right))).distinct().toList();
    if (unknown.size() == 1 && unknown.getFirst().isPresent()) {
      findings.add(Finding.notKnown("kube: rights", unknown.getFirst().get()));
      return;
    }
    Map<String, List<KubeRight>> byResource = new LinkedHashMap<>();
    needed.forEach(
        right -> byResource.computeIfAbsent(place(right), place -> new ArrayList<>()).add(right));
    byResource.forEach((place, rights) -> findings.add(rights("kube: " + place, rights)));
  }

  private Look<Boolean> look(KubeRight right) {
    return facts.rights().getOrDefault(right, new Failed<>(0, "", "not asked"));
  }

  private static Optional<String> unknown(Look<?> look) {
    return look instanceof Failed<?> failed ? Optional.of(failed.why()) : Optional.empty();
  }

  /** All that are tested: in shadow mode also those that mode = write needs. */
  static List<KubeRight> rights(Settings settings, String namespace) {
    List<KubeRight> rights = new ArrayList<>(KubeRights.of(settings, namespace));
    rights.addAll(KubeRights.later(settings, namespace));
    return rights;
  }

  static List<LeaseName> leases(Settings settings, String namespace) {
    List<LeaseName> leases = new ArrayList<>();
    if (settings.election().enabled()) {
      leases.add(new LeaseName(namespace, settings.election().name()));
    }
    if (settings.lock().enabled()) {
      leases.add(shared(settings));
    }
    return leases;
  }

  private static LeaseName shared(Settings settings) {
    return new LeaseName(settings.lock().namespace(), settings.lock().name());
  }

  private static String place(KubeRight right) {
    return right.resource().replaceFirst("/.*", "")
        + (right.namespace().isEmpty() ? "" : " in " + right.namespace());
  }

  private Finding rights(String check, List<KubeRight> rights) {
    List<KubeRight> lacking =
        rights.stream().filter(right -> look(right).equals(new Seen<>(false))).toList();
    Optional<Finding> notKnown =
        rights.stream()
            .flatMap(right -> unknown(look(right)).stream())
            .findFirst()
            .map(why -> Finding.notKnown(check, why));
    if (!lacking.isEmpty() && KubeRights.later(settings, namespace).containsAll(lacking)) {
      return notKnown.orElseGet(() -> later(check, rights, lacking));
    }
    if (!lacking.isEmpty()) {
      boolean harmless = rights.getFirst().resource().equals(KubeRights.CONTROL);
      return new Finding(
          check,
          harmless ? CheckVerdict.WARN : CheckVerdict.FAIL,
          "no right to " + verbs(lacking),
          "Grant it, as the chart and deploy/kustomize do:\n" + rules(lacking));
    }
    return notKnown.orElseGet(() -> Finding.ok(check, verbs(rights)));
  }

  /** The manifests give what only mode = write needs with that mode, but for the Leases. */
  private static Finding later(String check, List<KubeRight> rights, List<KubeRight> lacking) {
    if (!lacking.stream().allMatch(KubeRights::writer)) {
      return Finding.warn(
          check,
          "no right to %s; mode = write needs it".formatted(verbs(lacking)),
          "Grant it, as the chart and deploy/kustomize do:\n" + rules(lacking));
    }
    List<KubeRight> now = new ArrayList<>(rights);
    now.removeAll(lacking);
    String comes = "with mode = write comes: " + verbs(lacking);
    return Finding.ok(check, now.isEmpty() ? comes : verbs(now) + "; " + comes);
  }

  /** The verbs by the object that they are for: a right without a verb. */
  private static Map<KubeRight, List<String>> byObject(List<KubeRight> rights) {
    Map<KubeRight, List<String>> byObject = new LinkedHashMap<>();
    for (KubeRight right : rights) {
      KubeRight object =
          new KubeRight("", right.group(), right.resource(), right.namespace(), right.name());
      byObject.computeIfAbsent(object, key -> new ArrayList<>()).add(right.verb());
    }
    return byObject;
  }

  private static String verbs(List<KubeRight> rights) {
    return byObject(rights).entrySet().stream()
        .map(
            object ->
                (String.join(", ", object.getValue()) + " " + object(object.getKey())).strip())
        .collect(Collectors.joining("; "));
  }

  private static String object(KubeRight right) {
    return right.resource().contains("/")
        ? "the " + right.resource().replaceFirst(".*/", "")
        : right.name();
  }

  private static String rules(List<KubeRight> rights) {
    return byObject(rights).entrySet().stream()
        .map(object -> rule(object.getKey(), String.join(", ", object.getValue())))
        .collect(Collectors.joining("\n"));
  }

  private static String rule(KubeRight right, String verbs) {
    String named = right.name().isEmpty() ? "" : "resourceNames: [%s], ".formatted(right.name());
    return "- {apiGroups: [\"%s\"], resources: [%s], %sverbs: [%s]}"
        .formatted(right.group(), right.resource(), named, verbs);
  }

  private Look<Optional<Lease>> lease(LeaseName name) {
    return facts.leases().getOrDefault(name, new Failed<>(0, "", "not asked"));
  }

  private Finding leader() {
    if (!settings.election().enabled()) {
      return Finding.ok(LEADER, "not needed (leader-election.enabled = false)");
    }
    LeaseName name = new LeaseName(namespace, settings.election().name());
    String pods =
        ShellCommand.of("kubectl -n %s get pods -l app.kubernetes.io/name=poolkeeper", namespace);
    return switch (lease(name)) {
      case Failed<Optional<Lease>> failed -> unreadable(LEADER, name, failed);
      case Seen<Optional<Lease>> seen -> {
        if (seen.value().isEmpty()) {
          yield Finding.warn(LEADER, name + " does not exist: nobody led yet", pods);
        }
        Lease lease = seen.value().get();
        if (lease.holder().isEmpty()) {
          yield Finding.warn(LEADER, name + ": nobody holds it", pods);
        }
        yield expired(lease)
            ? Finding.fail(LEADER, "%s: expired, %s".formatted(name, held(lease)), pods)
            : Finding.ok(LEADER, "%s: %s".formatted(name, held(lease)));
      }
    };
  }

  /** An expired Lease of another client is free. */
  private Finding shared() {
    if (!settings.lock().enabled()) {
      return Finding.ok(SHARED, "not needed (lock.enabled = false)");
    }
    LeaseName name = shared(settings);
    return switch (lease(name)) {
      case Failed<Optional<Lease>> failed -> {
        Finding unreadable = unreadable(SHARED, name, failed);
        yield settings.shadow() && failed.status() == HttpURLConnection.HTTP_FORBIDDEN
            ? Finding.warn(
                SHARED, unreadable.detail() + "; mode = write needs it", unreadable.fix())
            : unreadable;
      }
      case Seen<Optional<Lease>> seen ->
          seen.value()
              .map(lease -> isOthers(lease) ? takenByOther(name, lease) : standing(name, lease))
              .orElseGet(
                  () -> Finding.ok(SHARED, name + " does not exist; who needs it first makes it"));
    };
  }

  private Finding standing(LeaseName name, Lease lease) {
    return Finding.ok(
        SHARED,
        lease.holder().isEmpty()
            ? name + ": free"
            : "%s: %s%s".formatted(name, expired(lease) ? "expired, " : "", held(lease)));
  }

  private Finding takenByOther(LeaseName name, Lease lease) {
    return Finding.warn(
        SHARED,
        "%s: taken last by another Poolkeeper, whose leader holds Lease %s. %s"
            .formatted(
                name,
                lease.writer(),
                settings.shadow()
                    ? "With mode = write this one ends at its start while that is renewed"
                    : "While that is renewed, both write"),
        "Stop one of the two (docs/topics/replicas.md)");
  }

  /** Whether the leader of another installation has taken the Lease last. */
  private boolean isOthers(Lease lease) {
    String own = namespace + "/" + settings.leaderElection().name();
    return !lease.writer().isEmpty() && !lease.writer().equals(own);
  }

  private static Finding unreadable(String check, LeaseName name, Failed<?> failed) {
    return Finding.fail(
        check,
        "%s cannot be read: %s".formatted(name, failed.why()),
        ShellCommand.of("kubectl -n %s get lease %s", name.namespace(), name.name()));
  }

  private boolean expired(Lease lease) {
    return lease.renewed().map(at -> at.plus(lease.duration()).isBefore(now)).orElse(true);
  }

  private String held(Lease lease) {
    return "held by %s, renewed %s"
        .formatted(
            lease.holder(),
            lease
                .renewed()
                .map(at -> Math.max(0, Duration.between(at, now).toSeconds()) + " s ago")
                .orElse("never"));
  }

  private static Finding switchedOff(int finalizers) {
    return finalizers == 0
        ? Finding.ok(BINDINGS, "not needed (admission.enabled = false)")
        : Finding.warn(
            BINDINGS,
            "nobody removes the finalizers of bindings (%d) while admission.enabled = false: their deletion hangs"
                .formatted(finalizers),
            "poolkeeper.admission.enabled = true, until they are deleted\n"
                + "or stop all replicas, and: poolkeeper uninstall --config my.conf --yes");
  }

  private Finding bindings() {
    if (!settings.admission().enabled()) {
      return switchedOff(
          facts.bindings() instanceof Seen<Optional<Integer>> seen ? seen.value().orElse(0) : 0);
    }
    return switch (facts.bindings()) {
      case Failed<Optional<Integer>> failed -> Finding.notKnown(BINDINGS, failed.why());
      case Seen<Optional<Integer>> seen ->
          seen.value().isPresent()
              ? Finding.ok(BINDINGS, "backendpoolbindings.poolkeeper.io is served")
              : Finding.warn(
                  BINDINGS,
                  "backendpoolbindings.poolkeeper.io is not served: there are no bindings",
                  "kubectl apply -f deploy/first\n"
                      + "or, without bindings: poolkeeper.admission.enabled = false");
    };
  }
}
