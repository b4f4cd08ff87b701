package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import io.fabric8.kubernetes.api.model.ServiceStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Converts Services to views. */
public final class ServiceViews {
  public static final WatchedKind<Service, ServiceKey, ServiceView> KIND =
      new WatchedKind<>(
          "services",
          client -> client.services().inAnyNamespace().runnableInformer(0),
          Service::new,
          ServiceKey::new,
          service -> Optional.of(view(service)));

  private static final String INTERNAL = "service.beta.kubernetes.io/azure-load-balancer-internal";

  private ServiceViews() {}

  public static ServiceView view(Service service) {
    ObjectMeta meta = service.getMetadata();
    ServiceSpec spec = Objects.requireNonNullElseGet(service.getSpec(), ServiceSpec::new);
    boolean loadBalancer =
        "LoadBalancer".equals(spec.getType()) && spec.getLoadBalancerClass() == null;
    boolean deleting = meta.getDeletionTimestamp() != null;
    return new ServiceView(
        new ServiceKey(meta.getNamespace(), meta.getName()),
        Objects.requireNonNullElse(meta.getUid(), ""),
        loadBalancer,
        loadBalancer && !deleting && "Local".equals(spec.getExternalTrafficPolicy()),
        "true".equals(annotations(meta).get(INTERNAL)),
        families(spec),
        Manage.in(annotations(meta)),
        hasAddress(service),
        digest(service));
  }

  private static boolean hasAddress(Service service) {
    return Optional.ofNullable(service.getStatus()).map(ServiceStatus::getLoadBalancer).stream()
        .flatMap(status -> WatchedKind.present(status.getIngress()))
        .findAny()
        .isPresent();
  }

  private static Map<String, String> annotations(ObjectMeta meta) {
    return Objects.requireNonNullElse(meta.getAnnotations(), Map.of());
  }

  private static Set<IpFamily> families(ServiceSpec spec) {
    Set<IpFamily> families = EnumSet.noneOf(IpFamily.class);
    WatchedKind.present(spec.getIpFamilies()).flatMap(ServiceViews::family).forEach(families::add);
    if (families.isEmpty()) {
      clusterIps(spec)
          .flatMap(address -> Address.parse(address).stream())
          .map(Address::family)
          .forEach(families::add);
    }
    return families.isEmpty() ? Set.of(IpFamily.IPV4) : families;
  }

  private static Stream<IpFamily> family(String name) {
    return Arrays.stream(IpFamily.values()).filter(known -> known.name().equalsIgnoreCase(name));
  }

  /** The addresses of the Service; old API servers give only the first one. */
  private static Stream<String> clusterIps(ServiceSpec spec) {
    List<String> addresses = WatchedKind.present(spec.getClusterIPs()).toList();
    return addresses.isEmpty() ? Stream.ofNullable(spec.getClusterIP()) : addresses.stream();
  }

  /**
   * A number that changes with spec, annotations and status, but not with metadata that servers
   * change on every write.
   */
  private static long digest(Service service) {
    List<Object> parts =
        Arrays.asList(
            service.getSpec(),
            new TreeMap<>(annotations(service.getMetadata())),
            service.getStatus());
    byte[] json = Serialization.asJson(parts).getBytes(StandardCharsets.UTF_8);
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(json)).getLong();
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
