package io.poolkeeper.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input in the section {@code admission}: what no table holds. */
class BadAdmissionTest {
  static final String POOL = pool("sub-1");

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

  @Test
  void checks_moreThanABindingMayList() {
    assertRefused("checks = [" + names(17) + "]", "checks", "17 checks", "at most 16");
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
