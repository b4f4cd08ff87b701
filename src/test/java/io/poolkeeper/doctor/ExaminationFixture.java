package io.poolkeeper.doctor;

import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.AzureFacts.Balancer;
import io.poolkeeper.arm.AzureFacts.Denial;
import io.poolkeeper.arm.AzureFacts.Pool;
import io.poolkeeper.arm.AzureFacts.Token;
import io.poolkeeper.arm.AzureProbe;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.arm.Grant;
import io.poolkeeper.config.Settings;
import io.poolkeeper.doctor.KubeFacts.Lease;
import io.poolkeeper.doctor.KubeFacts.LeaseName;
import io.poolkeeper.model.Look;
import io.poolkeeper.model.Look.Failed;
import io.poolkeeper.model.Look.Seen;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;

/** A doctor who sees what a test says; at first all is right. */
abstract class ExaminationFixture {
  static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");
  static final String GROUP = RoleDefinitionTest.GROUP;
  static final String VNET = RoleDefinitionTest.VNET;
  static final String WRITE = "azure: write pools";
  static final LeaseName LEADER = new LeaseName("ours", "poolkeeper-leader");
  static final LeaseName SHADOW = new LeaseName("ours", "poolkeeper-leader-shadow");
  static final LeaseName SHARED = new LeaseName("kube-system", "aks-managed-resource-locker");
  static final List<Grant> ALL = List.of(new Grant(List.of("*"), List.of()));
  static final Look.Failed<?> REFUSED = new Failed<>(403, "AuthorizationFailed", "HTTP 403");

  @TempDir private Path directory;

  String hocon = "";
  Look<Optional<Token>> token =
      new Seen<>(Optional.of(new Token(Optional.of("app"), Optional.of("oid"), NOW)));
  Look<List<Balancer>> listed =
      new Seen<>(List.of(new Balancer("lb", List.of(new Pool("web", 2, 0, Set.of(VNET))))));
  final Map<String, Look<List<Grant>>> permissions = new HashMap<>();
  Look<List<Grant>> otherwise = new Seen<>(ALL);
  Look<List<Denial>> denials = new Seen<>(List.of());
  Optional<Duration> azureAhead = Optional.of(Duration.ZERO);
  Known known =
      new Known(
          new CallsLeft(Optional.of(11_000L), Optional.of(900L)),
          Optional.empty(),
          Optional.of(List.of()));
  final Map<KubeRight, Look<Boolean>> rights = new HashMap<>();
  Look<Boolean> may = new Seen<>(true);
  Look<Optional<Lease>> leader = lease("pod-1_uid", 3);
  Look<Optional<Lease>> shared = new Seen<>(Optional.empty());
  Look<Optional<Integer>> bindings = new Seen<>(Optional.of(2));

  static Look<Optional<Lease>> lease(String holder, int secondsAgo) {
    return lease(holder, secondsAgo, "");
  }

  static Look<Optional<Lease>> lease(String holder, int secondsAgo, String writer) {
    return new Seen<>(
        Optional.of(
            new Lease(
                holder,
                Optional.of(NOW.minusSeconds(secondsAgo)),
                Duration.ofSeconds(15),
                writer)));
  }

  @SuppressWarnings("unchecked")
  static <T> Look<T> refused() {
    return (Look<T>) REFUSED;
  }

  Settings settings() {
    return RoleDefinitionTest.settings(directory, hocon);
  }

  Examination examine() {
    AzureProbe azure =
        (groups, scopes) -> {
          Map<String, Look<List<Grant>>> seen = new HashMap<>();
          scopes.forEach(scope -> seen.put(scope, permissions.getOrDefault(scope, otherwise)));
          return CompletableFuture.completedFuture(
              new AzureFacts(token, Map.of(groups.getFirst(), listed), seen, denials, azureAhead));
        };
    KubeProbe kube =
        (asked, leases) -> {
          Map<KubeRight, Look<Boolean>> seen = new HashMap<>();
          asked.forEach(right -> seen.put(right, rights.getOrDefault(right, may)));
          return CompletableFuture.completedFuture(
              new KubeFacts(
                  new Seen<>("me"),
                  seen,
                  Map.of(LEADER, leader, SHADOW, leader, SHARED, shared),
                  bindings,
                  Optional.of(Duration.ofSeconds(1))));
        };
    return new Doctor(settings(), "ours", azure, kube, InstantSource.fixed(NOW))
        .examine(() -> known)
        .toCompletableFuture()
        .join();
  }

  Finding finding(String check) {
    return examine().findings().stream()
        .filter(of -> of.check().equals(check))
        .findFirst()
        .orElseThrow();
  }
}
