package io.poolkeeper.kube.binding;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.admission.Ownership;
import io.poolkeeper.kube.binding.BindingSpec.PoolRef;
import io.poolkeeper.kube.binding.BindingSpec.ServiceRef;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a spec strictly, with everything that is wrong in it at once. A real API server refuses
 * such a spec; the embedded one and objects from before a change of the schema do not.
 */
final class SpecReader {
  private static final Pattern DNS_LABEL = Pattern.compile(BindingSpec.DNS_LABEL);
  private static final Pattern INTERVAL = Pattern.compile(BindingSpec.INTERVAL);
  private static final Pattern PART = Pattern.compile("([0-9.]+)(ms|s|m|h)");
  private static final Map<String, Integer> MILLIS =
      Map.of("ms", 1, "s", 1_000, "m", 60_000, "h", 3_600_000);
  private static final Map<String, IpFamily> FAMILIES =
      Map.of("IPv4", IpFamily.IPV4, "IPv6", IpFamily.IPV6);

  private static final Map<String, Ownership> OWNERSHIPS =
      Map.of(
          "Shared", Ownership.SHARED,
          "Exclusive", Ownership.EXCLUSIVE,
          "Mirrored", Ownership.MIRRORED);

  private final List<String> problems = new ArrayList<>();

  List<String> problems() {
    return problems;
  }

  /** The checks it lists, also those of a wrong spec. */
  static List<String> checks(@Nullable BindingSpec spec) {
    return spec == null ? List.of() : present(spec.admissionChecks()).toList();
  }

  /** Empty if there are problems. */
  Optional<BindingTarget> read(String namespace, @Nullable BindingSpec spec) {
    if (spec == null) {
      problems.add("spec is missing");
      return Optional.empty();
    }
    Optional<String> service = service(spec.serviceRef());
    Optional<PoolReference> pool = pool(spec.backendPool());
    Optional<IpFamily> family = word("ipFamily", spec.ipFamily(), "IPv4", FAMILIES);
    Optional<Ownership> ownership = word("ownership", spec.ownership(), "Shared", OWNERSHIPS);
    Optional<Duration> interval = interval(spec.interval());
    checkNames(checks(spec));
    Integer retries = spec.maxRetries();
    if (retries != null && (retries < 0 || retries > 100)) {
      problems.add("maxRetries must be 0 to 100, not " + retries);
    }
    return problems.isEmpty()
        ? Optional.of(
            new BindingTarget(
                new ServiceKey(namespace, service.orElseThrow()),
                pool.orElseThrow(),
                family.orElseThrow(),
                ownership.orElseThrow(),
                Optional.ofNullable(retries),
                interval))
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
    boolean named = given.loadBalancer() != null && given.pool() != null;
    boolean parts =
        Stream.of(given.loadBalancer(), given.pool(), given.resourceGroup())
            .anyMatch(Objects::nonNull);
    if (id == null ? !named : parts) {
      problems.add("backendPool must be either id, or loadBalancer and pool");
      return Optional.empty();
    }
    if (id == null) {
      return Optional.of(
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
    return parsed;
  }

  private <V> Optional<V> word(
      String field, @Nullable String text, String missing, Map<String, V> words) {
    V value = words.get(Objects.requireNonNullElse(text, missing));
    if (value == null) {
      problems.add(
          "%s must be %s, not %s"
              .formatted(
                  field,
                  String.join(" or ", words.keySet().stream().sorted().toList()),
                  quoted(text)));
    }
    return Optional.ofNullable(value);
  }

  private Optional<Duration> interval(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    Optional<Duration> interval =
        Optional.of(text).filter(given -> INTERVAL.matcher(given).matches()).map(SpecReader::sum);
    if (interval.filter(SpecReader::allowed).isEmpty()) {
      problems.add("interval must be 100ms to 1h, not " + quoted(text));
    }
    return interval;
  }

  private static boolean allowed(Duration interval) {
    return interval.compareTo(Duration.ofMillis(100)) >= 0
        && interval.compareTo(Duration.ofHours(1)) <= 0;
  }

  private static Duration sum(String text) {
    double millis = PART.matcher(text).results().mapToDouble(SpecReader::millis).sum();
    return Duration.ofMillis(Math.round(millis));
  }

  private static double millis(MatchResult part) {
    return Double.parseDouble(part.group(1)) * MILLIS.getOrDefault(part.group(2), 0);
  }

  private void checkNames(List<String> names) {
    int most = AdmissionLimits.SHIPPED.checks();
    if (names.size() > most) {
      problems.add("admissionChecks must be at most %d, not %d".formatted(most, names.size()));
    }
    names.stream()
        .filter(name -> name.length() > 63 || !DNS_LABEL.matcher(name).matches())
        .forEach(name -> problems.add("admissionChecks must be DNS labels, not " + quoted(name)));
  }

  static <E> Stream<E> present(@Nullable List<E> elements) {
    return elements == null ? Stream.empty() : elements.stream().filter(Objects::nonNull);
  }

  private static String quoted(@Nullable String text) {
    return text == null ? "nothing" : "\"" + text + "\"";
  }
}
