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
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts Services to views. */
public final class ServiceViews {
  public static final WatchedKind<Service, ServiceKey, ServiceView> KIND =
      new WatchedKind<>(
          "services",
          client -> client.services().inAnyNamespace().runnableInformer(0),
          Service::new,
          ServiceKey::new,
          false,
          false,
          service -> Optional.of(view(service)));

  private static final String INTERNAL = "service.beta.kubernetes.io/azure-load-balancer-internal";

  private ServiceViews() {}

  public static ServiceView view(Service service) {
    ObjectMeta meta = service.getMetadata();
    ServiceSpec spec = Objects.requireNonNullElseGet(service.getSpec(), ServiceSpec::new);
    boolean loadBalancer =
        "LoadBalancer".equals(spec.getType()) && spec.getLoadBalancerClass() == null;
    boolean stays = meta.getDeletionTimestamp() == null;
    return new ServiceView(
        new ServiceKey(meta.getNamespace(), meta.getName()),
        Objects.requireNonNullElse(meta.getUid(), ""),
        loadBalancer,
        loadBalancer && stays && "Local".equals(spec.getExternalTrafficPolicy()),
        "true".equals(annotations(meta).get(INTERNAL)),
        families(spec),
        Manage.in(annotations(meta)),
        addressed(service),
        digest(service));
  }

  private static boolean addressed(Service service) {
    return Optional.ofNullable(service.getStatus())
        .map(ServiceStatus::getLoadBalancer)
        .filter(of -> !orEmpty(of.getIngress()).isEmpty())
        .isPresent();
  }

  private static Map<String, String> annotations(ObjectMeta meta) {
    return Objects.requireNonNullElse(meta.getAnnotations(), Map.of());
  }

  private static Set<IpFamily> families(ServiceSpec spec) {
    Set<IpFamily> families = EnumSet.noneOf(IpFamily.class);
    for (String family : orEmpty(spec.getIpFamilies())) {
      named(family).ifPresent(families::add);
    }
    if (families.isEmpty()) {
      for (String address : clusterIps(spec)) {
        Address.parse(address).map(Address::family).ifPresent(families::add);
      }
    }
    return families.isEmpty() ? Set.of(IpFamily.IPV4) : families;
  }

  private static Optional<IpFamily> named(@Nullable String family) {
    return Arrays.stream(IpFamily.values())
        .filter(known -> known.name().equalsIgnoreCase(family))
        .findFirst();
  }

  private static List<String> clusterIps(ServiceSpec spec) {
    List<String> several = orEmpty(spec.getClusterIPs());
    String one = spec.getClusterIP();
    return several.isEmpty() && one != null ? List.of(one) : several;
  }

  private static <T> List<T> orEmpty(@Nullable Collection<T> all) {
    return all == null ? List.of() : all.stream().filter(Objects::nonNull).toList();
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
