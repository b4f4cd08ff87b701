package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.ratelimit.TokenBucket.Rate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitsTest {
  private static final String ON = "\"cloudProviderRateLimit\": true, ";
  private static final String FOUR =
      "\"cloudProviderRateLimitQPS\": 3, \"cloudProviderRateLimitBucket\": 10,"
          + "\"cloudProviderRateLimitQPSWrite\": 0.25, \"cloudProviderRateLimitBucketWrite\": 20";

  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void setUp() {
    dir = new ConfigDir(temp);
  }

  private LoadedSettings load(String members, String... lines) {
    var json = "{\"subscriptionId\": \"s\", \"resourceGroup\": \"r\", %s}".formatted(members);
    return dir.loadAzureJson(json, Map.of(), lines);
  }

  /** What is in force of reads, writes and the drain reserve, other than the defaults. */
  private List<String> lowered(LoadedSettings loaded) {
    return loaded.effective().stream()
        .filter(of -> of.path().matches("poolkeeper\\.turnstile\\.(reads|writes)\\..*"))
        .map(of -> of.toString().replace("poolkeeper.turnstile.", "").replace(temp + "/", ""))
        .filter(of -> !of.endsWith("# default"))
        .toList();
  }

  private List<String> warnings(LoadedSettings loaded) {
    return loaded.warnings().stream()
        .filter(text -> text.contains("RateLimit"))
        .map(text -> text.replace(temp + "/", ""))
        .toList();
  }

  @Test
  void limits_lower_areTaken_andTheStartIsCutToTheBucket() {
    var loaded = load(ON + FOUR);

    assertThat(lowered(loaded))
        .containsExactlyInAnyOrder(
            "reads.rate = 3  # azure.json: cloudProviderRateLimitQPS",
            "reads.burst = 10  # azure.json: cloudProviderRateLimitBucket",
            "writes.rate = 0.25  # azure.json: cloudProviderRateLimitQPSWrite",
            "writes.burst = 20  # azure.json: cloudProviderRateLimitBucketWrite",
            "writes.initial = 20  # writes.burst",
            "writes.drain-reserve.burst = 20  # azure.json: cloudProviderRateLimitBucketWrite",
            "writes.drain-reserve.initial = 20  # writes.drain-reserve.burst");
    assertThat(warnings(loaded)).isEmpty();
    var limits = loaded.settings().rateLimiter();
    assertThat(limits.reads()).isEqualTo(new Rate(10, 3_000));
    assertThat(limits.writes()).isEqualTo(new Rate(20, 250));
    assertThat(limits.initialWrites()).isEqualTo(20);
    assertThat(limits.reserve()).isEqualTo(new Rate(20, 250));
    assertThat(limits.initialReserve()).isEqualTo(20);
  }

  @Test
  void stanza_goesBeforeTheGeneralMembers_memberByMember() {
    var loaded =
        load(
            ON
                + FOUR
                + """
                , "LoadBalancerRateLimit": {"cloudproviderratelimitqps": 2,
                   "cloudProviderRateLimitBucketWrite": 7, "cloudProviderRateLimitBucket": 0}
                """);

    assertThat(lowered(loaded))
        .contains(
            "reads.rate = 2  # azure.json: loadBalancerRateLimit.cloudProviderRateLimitQPS",
            "reads.burst = 10  # azure.json: cloudProviderRateLimitBucket",
            "writes.initial = 7  # writes.burst",
            "writes.burst = 7  # azure.json:"
                + " loadBalancerRateLimit.cloudProviderRateLimitBucketWrite");
    assertThat(warnings(loaded)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "false, false, false",
    "false, true, true",
    "true, false, false",
    "true, true, true",
    "true, null, true"
  })
  void stanza_hasASwitchOfItsOwn(String general, String own, boolean taken) {
    var loaded =
        load(
            """
            "cloudProviderRatelimit": %s, "cloudProviderRateLimitQPS": 3,
            "loadBalancerRateLimit": {"cloudProviderRateLimit": %s}
            """
                .formatted(general, own));

    assertThat(loaded.settings().rateLimiter().reads().milliPerSecond())
        .isEqualTo(taken ? 3_000 : 15_000);
    assertThat(warnings(loaded)).hasSize(taken ? 0 : 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"cloudProviderRateLimit\": false, \"cloudProviderRateLimitQPS\": 0'"
            + "| cloudProviderRateLimit is a JSON boolean (false)",
        "'\"cloudProviderRateLimit\": false' | cloudProviderRateLimit is a JSON boolean (false)",
        "'\"cloudProviderRateLimit\": \"true\"'"
            + "| 'cloudProviderRateLimit is a JSON string (\"true\")'",
        "'\"cloudProviderRateLimitBucketWrite\": 1' | cloudProviderRateLimit is not set",
        "'\"loadBalancerRateLimit\": {}' | cloudProviderRateLimit is not set",
      })
  void switch_notTrue_takesNothing_andSaysSo(String members, String found) {
    var loaded = load(members);

    assertThat(lowered(loaded)).isEmpty();
    assertThat(warnings(loaded))
        .containsExactly("azure.json: " + found + ", so that no rate limit of this file is used");
  }

  @Test
  void members_none_saysNothing() {
    assertThat(warnings(load("\"cloudProviderBackoff\": true"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "QPS | 15 | which does not lower poolkeeper.turnstile.reads.rate",
        "QPS | 1e400 | not a number from 0.001",
        "QPS | 1e300 | which does not lower poolkeeper.turnstile.reads.rate",
        "QPS | 0.0009 | not a number from 0.001",
        "QPS | -1.0 | not a number from 0.001",
        "QPS | '\"NaN\"' | not a number from 0.001",
        "QPS | '\"3\"' | not a number from 0.001",
        "QPSWrite | 1.5 | which does not lower poolkeeper.turnstile.writes.rate",
        "QPSWrite | 0 | not a number from 0.001",
        "QPSWrite | [] | not a number from 0.001",
        "Bucket | 200 | which does not lower poolkeeper.turnstile.reads.burst",
        "Bucket | 9.5 | not a whole number from 1",
        "Bucket | true | not a whole number from 1",
        "BucketWrite | 150 | which does not lower poolkeeper.turnstile.writes.burst",
        "BucketWrite | 99999999999999999999 | which does not lower poolkeeper.turnstile.writes.burst",
        "BucketWrite | 0 | not a whole number from 1",
        "BucketWrite | -1 | not a whole number from 1",
      })
  void member_unusable_takesNothing_andSaysSo(String end, String value, String why) {
    var loaded = load(ON + "\"cloudProviderRateLimit%s\": %s".formatted(end, value));

    assertThat(lowered(loaded)).isEmpty();
    assertThat(warnings(loaded))
        .singleElement()
        .asString()
        .startsWith("azure.json: cloudProviderRateLimit" + end + " is a JSON ")
        .endsWith(", " + why);
  }

  @ParameterizedTest
  @CsvSource({"QPS,14.9999,14999", "QPS,0.001,1", "QPSWrite,1.4999,1499", "QPSWrite,1e0,1000"})
  void rate_anyDecimals_isCutToAThousandth(String end, String value, int thousandths) {
    var limits =
        load(ON + "\"cloudProviderRateLimit%s\": %s".formatted(end, value))
            .settings()
            .rateLimiter();

    var rate = end.equals("QPS") ? limits.reads() : limits.writes();
    assertThat(rate.milliPerSecond()).isEqualTo(thousandths);
  }

  @Test
  void members_severalUnusable_areOneLine() {
    var loaded =
        load(
            ON
                + """
                "loadBalancerRateLimit": "off", "cloudProviderRateLimitQPS": 20,
                "cloudProviderRateLimitBucketWrite": {}
                """);

    assertThat(warnings(loaded))
        .containsExactly(
            "azure.json: loadBalancerRateLimit is a JSON string (\"off\"), not an object;"
                + " cloudProviderRateLimitQPS is a JSON number (20), which does not lower"
                + " poolkeeper.turnstile.reads.rate; cloudProviderRateLimitBucketWrite is a JSON"
                + " object, not a whole number from 1");
  }

  @Test
  void configuration_setsTheLimit_wins() {
    var loaded =
        load(
            ON + FOUR,
            "poolkeeper.turnstile.writes { burst = 150, rate = 1.5 }",
            "poolkeeper.turnstile.reads.rate = 30");

    assertThat(lowered(loaded))
        .containsExactlyInAnyOrder(
            "reads.rate = 30  # p.conf:3",
            "reads.burst = 10  # azure.json: cloudProviderRateLimitBucket",
            "writes.rate = 1.5  # p.conf:2",
            "writes.burst = 150  # p.conf:2");
    assertThat(warnings(loaded))
        .singleElement()
        .asString()
        .contains(
            "QPS is a JSON number (3), but the configuration sets poolkeeper.turnstile.reads.rate",
            "BucketWrite is a JSON number (20), but the configuration sets"
                + " poolkeeper.turnstile.writes.burst");
  }

  @Test
  void configuration_setsTheStartAlone_isCutNotRefused() {
    var loaded = load(ON + FOUR, "poolkeeper.turnstile.writes.initial = 30");

    assertThat(loaded.settings().rateLimiter().initialWrites()).isEqualTo(20);
    assertThat(lowered(loaded)).contains("writes.initial = 20  # writes.burst");
    loaded = load(ON + FOUR, "poolkeeper.turnstile.writes.initial = 0");
    assertThat(loaded.settings().rateLimiter().initialWrites()).isZero();
  }
}
