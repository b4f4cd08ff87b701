package io.poolkeeper.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input in the section {@code admission}: each case, the whole message. */
class BadAdmissionTest {
  static final String POOL = pool("sub-1");

  private static final String LABEL =
      ": 1 to 63 lower-case letters, digits and dashes, no dash at either end";
  private static final String ID =
      "the ARM id of a backend pool, a * within a segment but not in GROUP: /subscriptions/SUBSCRIPTION"
          + "/resourceGroups/GROUP/providers/Microsoft.Network/loadBalancers/NAME"
          + "/backendAddressPools/NAME";

  @TempDir private Path temp;

  private static String pool(String subscription) {
    return pool(subscription, "rg-2");
  }

  private static String pool(String subscription, String group) {
    return "/subscriptions/"
        + subscription
        + "/resourceGroups/"
        + group
        + "/providers/Microsoft.Network/loadBalancers/shop-*"
        + "/backendAddressPools/*";
  }

  private static String names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "c" + i).collect(joining(", "));
  }

  private void assertRefused(String line, String path, String found, String allowed) {
    assertThat(new ConfigDir(temp).problems("poolkeeper.admission." + line))
        .containsExactly(
            "p.conf:3: poolkeeper.admission.%s: found %s; allowed: %s"
                .formatted(path, found, allowed));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "enabled = 1 | 1 | true or false",
        "max-delay = 999ms | \"999ms\" | 'a duration with a unit, 1s to 365d'",
        "max-delay = 366d | \"366d\" | 'a duration with a unit, 1s to 365d'",
        "max-delay = 60 | 60 | 'a duration with a unit, 1s to 365d'",
        "checks = [a, b, a] | \"a\" twice | each check once",
        "allowed-pools = [a] | [a] | a section { name = value }"
      })
  void value_notAllowed(String line, String found, String allowed) {
    assertRefused(line, line.substring(0, line.indexOf(" = ")), found, allowed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Freeze",
        "-a",
        "a-",
        "a.b",
        "",
        "a123456789b123456789c123456789d123456789e123456789f123456789g123"
      })
  void checks_noDnsLabel(String name) {
    assertRefused(
        "checks = [\"" + name + "\"]", "checks", '"' + name + '"', "a check's name" + LABEL);
  }

  @Test
  void checks_moreThanABindingMayList() {
    assertRefused("checks = [" + names(17) + "]", "checks", "17 checks", "at most 16");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lb-1",
        "\"/subscriptions/sub-1/resourceGroups/rg-1\"",
        "7",
        "null",
        "[a]",
        "\"/subscriptions/sub-1/resourceGroups/**/a\""
      })
  void allowedPools_noIdOfAPool(String element) {
    assertRefused("allowed-pools.shop = [" + element + "]", "allowed-pools.shop", element, ID);
  }

  @Test
  void allowedPools_anotherSubscription_saysWhichOneIsConfigured() {
    String id = pool("sub-2");

    assertRefused(
        "allowed-pools.shop = [\"" + id + "\"]",
        "allowed-pools.shop",
        '"' + id.substring(0, 79) + "...",
        "pools of the configured subscription, sub-1, or of *");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "rg-*"})
  void allowedPools_groupThatIsNotLiteral(String group) {
    String id = pool("sub-1", group);

    assertRefused(
        "allowed-pools.shop = [\"" + id + "\"]",
        "allowed-pools.shop",
        '"' + id.substring(0, 79) + "...",
        ID);
  }

  @Test
  void allowedPools_inMoreGroupsThanAreListed() {
    assertThat(new ConfigDir(temp).load(inGroups(32)).settings().admission().allowedPools())
        .hasSize(1);
    assertRefused(
        inGroups(33).substring("poolkeeper.admission.".length()),
        "allowed-pools",
        "33 resource groups",
        "at most 32 in all");
  }

  /** Each group in two forms. */
  private static String inGroups(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> List.of(pool("sub-1", "rg-" + i), pool("sub-1", "RG-" + i)))
        .flatMap(List::stream)
        .collect(joining("\", \"", "poolkeeper.admission.allowed-pools.shop = [\"", "\"]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold-drains", "mirror"})
  void keyThatIsGone_isUnknown(String key) {
    assertRefused(
        key + " = true", key, "an unknown key", "allowed-pools, checks, enabled, max-delay");
  }

  @Test
  void allowedPools_noList() {
    assertRefused(
        "allowed-pools.shop = all", "allowed-pools.shop", "all", "a list of texts, each " + ID);
  }

  @Test
  void allowedPools_noNamespace() {
    assertRefused(
        "allowed-pools { \"a.b\" = [] }", "allowed-pools", "\"a.b\"", "a namespace" + LABEL);
  }

  @Test
  void allowedPools_moreThanAThousand() {
    String one = '"' + POOL + '"';
    String many = IntStream.range(0, 501).mapToObj(i -> one).collect(joining(","));

    assertRefused(
        "allowed-pools { a = [" + many + "], b = [" + many + "] }",
        "allowed-pools",
        "1002 patterns",
        "at most 1,000 in all");
  }

  @Test
  void everyWrongElement_isReportedAtOnce_withItsLine() {
    assertThat(
            new ConfigDir(temp)
                .problems(
                    "poolkeeper.admission {",
                    "  max-delay = 0s",
                    "  allowed-pools {",
                    "    shop = [",
                    "      a",
                    "      b",
                    "    ]",
                    "    Depot = 1",
                    "  }",
                    "}"))
        .containsExactly(
            "p.conf:4: poolkeeper.admission.max-delay: found \"0s\"; allowed: a duration with a"
                + " unit, 1s to 365d",
            "p.conf:7: poolkeeper.admission.allowed-pools.shop: found a; allowed: " + ID,
            "p.conf:8: poolkeeper.admission.allowed-pools.shop: found b; allowed: " + ID,
            "p.conf:10: poolkeeper.admission.allowed-pools: found \"Depot\"; allowed: a namespace"
                + LABEL,
            "p.conf:10: poolkeeper.admission.allowed-pools.Depot: found 1; allowed: a list of"
                + " texts, each "
                + ID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sub-1", "SUB-1", "*", "sub-*"})
  void allowedPools_theConfiguredSubscription_inAnyCase(String subscription) {
    var loaded =
        new ConfigDir(temp)
            .load("poolkeeper.admission.allowed-pools.shop = [\"" + pool(subscription) + "\"]");

    assertThat(loaded.settings().admission().allowedPools().get("shop"))
        .containsExactly(pool(subscription));
  }
}
