package io.poolkeeper.admission;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Activity;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolPicture;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.Membership;
import io.poolkeeper.pool.PoolStatus.PastAttempts;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.WouldWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Bindings, and what is said of their pool. */
final class BindingFixtures {
  static final Instant T0 = Instant.parse("2026-11-22T10:00:00Z");
  static final PoolId POOL = pool("blue");
  static final Duration LATE = Duration.ofMinutes(1);

  /** Each pool of the load balancer is the namespace shop's. */
  static final Map<String, List<String>> SHOP = Map.of("shop", List.of(pool("*").path()));

  private BindingFixtures() {}

  static PoolId pool(String name) {
    return new LoadBalancerId("sub", "rg", "gateway").pool(name);
  }

  static Resolution resolution(Map<String, List<String>> allowed) {
    return new Resolution("sub", "rg", AllowedPools.of("SUB", allowed), "gateway-k8s"::equals);
  }

  static BindingsCore core(Map<String, List<String>> allowed) {
    AdmissionChecks checks = new AdmissionChecks(AdmissionLimits.SHIPPED, List.of());
    return new BindingsCore(resolution(allowed), checks, LATE);
  }

  static ServiceKey service(String name) {
    return new ServiceKey("shop", name);
  }

  /** Of the namespace shop, if none is named. */
  static BindingKey key(String name) {
    String[] parts = name.split("/", -1);
    return parts.length == 1 ? new BindingKey("shop", name) : new BindingKey(parts[0], parts[1]);
  }

  static Set<Address> addresses(String... addresses) {
    Set<Address> all = new TreeSet<>();
    for (String address : addresses) {
      all.add(Address.of(address));
    }
    return all;
  }

  /** The pool as its actor may know it. */
  static PoolStatus status(
      Map<ServiceKey, Set<Address>> services,
      String state,
      Optional<ArmFailure> error,
      Set<Address> inPool,
      Set<Address> marked,
      Optional<Instant> clear,
      boolean interfaces) {
    Set<Address> desired = new TreeSet<>();
    services.values().forEach(desired::addAll);
    return new PoolStatus(
        POOL,
        services,
        new Activity(
            Stream.of(State.values())
                .filter(of -> of.toString().equals(state))
                .findFirst()
                .orElse(State.IDLE),
            "why",
            Optional.empty(),
            state.equals("Gathering") ? List.of(0) : List.of(),
            Optional.empty(),
            WouldWrite.NOTHING),
        new Membership(
            desired,
            inPool,
            Set.of(),
            marked,
            interfaces,
            new Difference(
                0, 0, 0, 0, Set.of(), !state.equals("Unknown"), false, Optional.empty())),
        new PastAttempts(Optional.empty(), error, 0, 0, clear),
        PoolPicture.UNKNOWN);
  }

  /** A valid binding of {@link #POOL} as a user makes it. */
  static BindingView view(String name, String service, String... checks) {
    return view(name, service, POOL, T0, checks);
  }

  /**
   * A valid binding.
   *
   * @param created of two with one time the one whose name is first is older
   */
  static BindingView view(
      String name, String service, PoolId pool, Instant created, String... checks) {
    PoolReference reference = PoolReference.parse(pool.path()).orElseThrow();
    return new BindingView(
        key(name),
        "uid-" + name,
        "",
        created,
        Optional.empty(),
        false,
        false,
        Optional.of(reference),
        Optional.of(new BindingTarget(service(service), reference, IpFamily.IPV4)),
        List.of(),
        new AdmissionSubject(List.of(checks), List.of(), true, false, false, Duration.ZERO));
  }

  /** The same binding with our finalizer, or without. */
  static BindingView with(BindingView of, boolean finalizer) {
    return with(of, finalizer, of.deleted(), of.reported(), of.admission());
  }

  static BindingView with(
      BindingView of,
      boolean finalizer,
      Optional<Instant> deleted,
      boolean reported,
      AdmissionSubject is) {
    AdmissionSubject admission =
        new AdmissionSubject(
            is.listed(), is.reported(), is.active(), deleted.isPresent(), is.changed(), is.ahead());
    return new BindingView(
        of.key(),
        of.uid(),
        of.version(),
        of.created(),
        deleted,
        finalizer,
        reported,
        of.pool(),
        of.target(),
        of.problems(),
        admission);
  }

  /** The same binding with a spec that is wrong, but for its pool. */
  static BindingView wrong(BindingView of) {
    return with(of, Optional.empty(), List.of("spec.ipFamily: IPv5"));
  }

  /** The same binding with a pool that has wrong names. */
  static BindingView nameless(BindingView of) {
    return with(of, Optional.empty(), Optional.empty(), List.of("backendPool: ..."));
  }

  static BindingView with(BindingView of, Optional<BindingTarget> target, List<String> problems) {
    return with(of, of.pool(), target, problems);
  }

  private static BindingView with(
      BindingView of,
      Optional<PoolReference> pool,
      Optional<BindingTarget> target,
      List<String> problems) {
    return new BindingView(
        of.key(),
        of.uid(),
        of.version(),
        of.created(),
        of.deleted(),
        of.finalizer(),
        of.reported(),
        pool,
        target,
        problems,
        of.admission());
  }
}
