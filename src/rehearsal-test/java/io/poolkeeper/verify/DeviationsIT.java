package io.poolkeeper.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.verify.CheckRun.Result;
import io.poolkeeper.verify.azure.PlainArm;
import io.poolkeeper.verify.azure.TypedScratch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each way in which an Azure may be otherwise is named by the check that is for it, and no other.
 */
class DeviationsIT {
  private static final String GROUP = "scratch";
  private static final String RUN = "0000000a";
  private static final String USUAL =
      "{\"deviations\":[],\"updatingShown\":\"siblings\",\"contention\":\"supersede\"}";
  private static final Duration PERMIT = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static GuardedSim azure;
  private static PlainArm arm;
  private static AzureArm adapter;
  private static TypedScratch scratch;
  private static Place place;

  @BeforeAll
  static void start() throws Exception {
    azure = new GuardedSim(directory);
    azure.group(GROUP);
    Azure settings = azure.settings("me").azure();
    InstantSource clock = InstantSource.system();
    arm = PlainArm.connect(settings, clock, any -> {});
    adapter =
        AzureArm.create(
            settings,
            PERMIT,
            PERMIT,
            ArmObserver.NONE,
            WriteFence.OPEN,
            new Clocks(System::nanoTime, clock, clock, () -> new Random(1)),
            Optional.empty());
    scratch = new TypedScratch(arm, GuardedSim.SUBSCRIPTION, GROUP, RUN, clock.instant());
    place = new Place(GuardedSim.SUBSCRIPTION, GROUP, "westeurope", RUN);
    scratch.make(place);
  }

  @AfterAll
  static void stop() {
    arm.close();
    adapter.close();
    azure.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{}                                           | -",
        "{'deviations':['if-match-ignored']}          | if-match differs",
        "{'deviations':['none-omitted']}              | none-shown differs",
        "{'deviations':['down-lost']}                 | down-kept differs, down-ends unknown",
        "{'deviations':['etag-once']}                 | etag-moves differs",
        "{'deviations':['read-only-refused']}         | read-only differs, adapter differs",
        "{'deviations':['unknown-dropped']}           | unknown-member differs",
        "{'deviations':['duplicate-address-accepted']}| duplicate-address differs",
        "{'deviations':['duplicate-name-accepted']}   | duplicate-name differs",
        "{'deviations':['outside-refused']}           | outside-address differs",
        "{'deviations':['case-echoed']}               | letter-case differs",
        "{'deviations':['quota-headers-absent']}      | quota-headers differs",
        "{'deviations':['poll-by-location']}          | operation differs, second-write unknown, adapter differs",
        "{'updatingShown':'written'}                  | siblings differs",
        "{'contention':'queue'}                       | second-write differs",
        "{'contention':'conflict'}                    | -",
        "{'contention':'retryable'}                   | -",
        "{'deviations':['used-pool-deleted']}         | used-pool differs",
      })
  void aDeviation_isNamedByItsCheck(String behavior, @Nullable String checks) throws Exception {
    azure.call("DELETE", "/_faults", "");
    azure.call("PUT", "/_behavior", USUAL);
    assertThat(azure.call("PUT", "/_behavior", behavior.replace('\'', '"')).status())
        .isEqualTo(200);
    if (behavior.contains("queue")) {
      azure.call(
          "POST",
          "/_faults",
          "{\"method\":\"PUT\",\"path\":\"/(used|free)$\",\"lro\":\"slow\",\"lroMillis\":150}");
    }

    List<Result> results = run();

    assertThat(
            results.stream()
                .filter(one -> one.finding().verdict() != AssumptionVerdict.HOLDS)
                .map(one -> one.check().id() + " " + one.finding().verdict()))
        .as(results.toString())
        .isEqualTo(checks == null ? List.of() : List.of(checks.split(", ")));
  }

  private static List<Result> run() throws InterruptedException {
    Bench bench = new Bench(place, arm, adapter, scratch, InstantSource.system(), 1, PERMIT);
    return new CheckRun(bench, new Recorder(), Duration.ofSeconds(20))
        .all(CheckRun.checks(true), any -> {});
  }
}
