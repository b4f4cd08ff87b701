package io.poolkeeper.kube.binding;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.kube.WatchedKind;
import io.poolkeeper.kube.binding.BindingSpec.PoolRef;
import io.poolkeeper.kube.binding.BindingSpec.ServiceRef;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a spec strictly, with all its problems at once. A real API server refuses a bad spec; the
 * embedded one does not, and objects may be older than the schema.
 */
final class SpecReader {
  private static final Pattern DNS_LABEL = Pattern.compile(BindingSpec.DNS_LABEL);
  private static final Map<String, IpFamily> FAMILIES =
      Map.of("IPv4", IpFamily.IPV4, "IPv6", IpFamily.IPV6);

  private final List<String> problems = new ArrayList<>();

  List<String> problems() {
    return problems;
  }

  /** The checks that a spec lists, also if it is invalid. */
  static List<String> checks(@Nullable BindingSpec spec) {
    return spec == null ? List.of() : WatchedKind.present(spec.admissionChecks()).toList();
  }

  /** The pool that a spec names, also if the rest of it is invalid. */
  static Optional<PoolReference> pool(@Nullable BindingSpec spec) {
    return spec == null ? Optional.empty() : new SpecReader().pool(spec.backendPool());
  }

  /** The target of the spec; empty if there are problems. */
  Optional<BindingTarget> read(String namespace, @Nullable BindingSpec spec) {
    if (spec == null) {
      problems.add("spec is missing");
      return Optional.empty();
    }
    Optional<String> service = service(spec.serviceRef());
    Optional<PoolReference> pool = pool(spec.backendPool());
    Optional<IpFamily> family = family(spec.ipFamily());
    checkNames(checks(spec));
    return problems.isEmpty()
        ? Optional.of(
            new BindingTarget(
                new ServiceKey(namespace, service.orElseThrow()),
                pool.orElseThrow(),
                family.orElseThrow()))
        : Optional.empty();
  }

  private Optional<String> service(@Nullable ServiceRef reference) {
    String name = reference == null ? null : reference.name();
    if (name == null || !DNS_LABEL.matcher(name).matches()) {
      problems.add("serviceRef.name must be the name of a Service, not " + quoted(name));
      return Optional.empty();
    }
    return Optional.of(name);
  }

  private Optional<PoolReference> pool(@Nullable PoolRef reference) {
    PoolRef given = reference == null ? new PoolRef(null, null, null, null) : reference;
    String id = given.id();
    boolean complete = given.loadBalancer() != null && given.pool() != null;
    boolean anyName =
        Stream.of(given.loadBalancer(), given.pool(), given.resourceGroup())
            .anyMatch(Objects::nonNull);
    boolean valid = id == null ? complete : !anyName;
    if (!valid) {
      problems.add("backendPool must be either id, or loadBalancer and pool");
      return Optional.empty();
    }
    if (id == null) {
      return withValidNames(
          new PoolReference(
              Optional.empty(),
              Optional.ofNullable(given.resourceGroup()),
              Objects.requireNonNull(given.loadBalancer()),
              Objects.requireNonNull(given.pool())));
    }
    Optional<PoolReference> parsed = PoolReference.parse(id);
    if (parsed.isEmpty()) {
      problems.add("backendPool.id must be the ARM id of a backend pool, not " + quoted(id));
    }
    return parsed.flatMap(this::withValidNames);
  }

  private Optional<PoolReference> withValidNames(PoolReference reference) {
    Optional<String> wrong = reference.wrongName();
    wrong.ifPresent(
        name -> problems.add("backendPool: " + PoolReference.OF_NAMES + ", not " + quoted(name)));
    return wrong.isEmpty() ? Optional.of(reference) : Optional.empty();
  }

  private Optional<IpFamily> family(@Nullable String text) {
    IpFamily family = FAMILIES.get(Objects.requireNonNullElse(text, "IPv4"));
    if (family == null) {
      problems.add("ipFamily must be IPv4 or IPv6, not " + quoted(text));
    }
    return Optional.ofNullable(family);
  }

  private void checkNames(List<String> names) {
    int max = AdmissionLimits.SHIPPED.checks();
    if (names.size() > max) {
      problems.add("admissionChecks must be at most %d, not %d".formatted(max, names.size()));
    }
    names.stream()
        .filter(name -> name.length() > 63 || !DNS_LABEL.matcher(name).matches())
        .forEach(name -> problems.add("admissionChecks must be DNS labels, not " + quoted(name)));
  }

  private static String quoted(@Nullable String text) {
    return text == null ? "nothing" : "\"" + text + "\"";
  }
}
