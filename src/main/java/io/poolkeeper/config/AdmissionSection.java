package io.poolkeeper.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.model.AllowedPools;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads the section {@code admission} and checks the rules between its keys. The keys below {@code
 * allowed-pools} are free: they are namespaces.
 *
 * @param subscription the configured one; empty if it is missing
 */
record AdmissionSection(Values values, String subscription) {
  private static final Pattern DNS_LABEL =
      Pattern.compile("(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final String LABEL_IN_WORDS =
      ": 1 to 63 lower-case letters, digits and dashes, no dash at either end";
  private static final String PATTERN_IN_WORDS =
      "the ARM id of a backend pool, a * within a segment but not in GROUP:"
          + " /subscriptions/SUBSCRIPTION"
          + "/resourceGroups/GROUP/providers/Microsoft.Network/loadBalancers/NAME"
          + "/backendAddressPools/NAME";
  private static final int MAX_PATTERNS = 1_000;

  /** Few, as each of them is listed whenever load balancers are. */
  private static final int MAX_GROUPS = 32;

  private static final int MAX_CHECKS = AdmissionLimits.SHIPPED.checks();
  private static final String CHECKS = "admission.checks";
  private static final String ALLOWED = "admission.allowed-pools";

  Settings.Admission read() {
    return new Settings.Admission(
        values.flag("admission.enabled"),
        new AdmissionLimits(
            values.duration("admission.max-delay", AdmissionLimits.MAX_DELAY, "365d")),
        checks(),
        allowedPools());
  }

  private List<String> checks() {
    List<String> names = values.texts(CHECKS, DNS_LABEL, "a check's name" + LABEL_IN_WORDS);
    if (names.size() > MAX_CHECKS) {
      values.reject(CHECKS, names.size() + " checks", "at most " + MAX_CHECKS);
    }
    var seen = new HashSet<String>();
    names.stream()
        .filter(name -> !seen.add(name))
        .forEach(name -> values.reject(CHECKS, '"' + name + "\" twice", "each check once"));
    return names;
  }

  private Map<String, List<String>> allowedPools() {
    ConfigObject section = values.section(ALLOWED);
    Map<String, List<String>> allowed = new LinkedHashMap<>();
    for (String namespace : KeyCheck.byLine(section)) {
      ConfigValue value = KeyCheck.value(section, namespace);
      if (!DNS_LABEL.matcher(namespace).matches()) {
        values.problem(value, ALLOWED, '"' + namespace + '"', "a namespace" + LABEL_IN_WORDS);
      }
      allowed.put(namespace, patterns(ALLOWED + "." + namespace, value));
    }
    List<String> patterns = allowed.values().stream().flatMap(List::stream).toList();
    if (patterns.size() > MAX_PATTERNS) {
      values.reject(
          ALLOWED, patterns.size() + " patterns", "at most %,d in all".formatted(MAX_PATTERNS));
    }
    long groups =
        patterns.stream()
            .filter(pattern -> !AllowedPools.wrong(pattern))
            .map(AllowedPools::group)
            .distinct()
            .count();
    if (groups > MAX_GROUPS) {
      values.reject(ALLOWED, groups + " resource groups", "at most " + MAX_GROUPS + " in all");
    }
    return allowed;
  }

  private List<String> patterns(String path, ConfigValue value) {
    if (!(value instanceof ConfigList list)) {
      values.problem(
          value, path, Values.render(value), "a list of texts, each " + PATTERN_IN_WORDS);
      return List.of();
    }
    list.forEach(element -> checkPattern(path, element));
    return list.stream().map(element -> String.valueOf(element.unwrapped())).toList();
  }

  private void checkPattern(String path, ConfigValue element) {
    String pattern = String.valueOf(element.unwrapped());
    if (element.valueType() != ConfigValueType.STRING || AllowedPools.wrong(pattern)) {
      values.problem(element, path, Values.render(element), PATTERN_IN_WORDS);
    } else if (!subscription.isEmpty() && !AllowedPools.within(subscription, pattern)) {
      values.problem(
          element,
          path,
          Values.render(element),
          "pools of the configured subscription, %s, or of *".formatted(subscription));
    }
  }
}
