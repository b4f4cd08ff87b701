package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The largest pool that Azure allows, with its longest names, against the 4 MB of a request. */
class LargePoolIT {
  private static final int ADDRESSES = 5_000;
  private static final int LIMIT = 4_000_000;
  private static final PoolId POOL =
      new LoadBalancerId("00000000-0000-0000-0000-00000000000a", "r".repeat(90), "l".repeat(80))
          .pool("p".repeat(80));
  private static final String GROUP =
      "/subscriptions/00000000-0000-0000-0000-00000000000a/resourceGroups/" + "r".repeat(90);
  private static final String NETWORK =
      GROUP + "/providers/Microsoft.Network/virtualNetworks/" + "v".repeat(64);

  private final ActorTestKit kit = ActorTestKit.create();
  private final HttpClient http = HttpClient.newHttpClient();
  private final ArmSim sim =
      value(
          ArmSim.start(
              kit.system(), ArmSimSettings.fast(System::nanoTime, InstantSource.system())));

  @BeforeEach
  void armHasThePool() throws Exception {
    send("PUT", GROUP, "{\"location\":\"eastus\"}");
    send("PUT", POOL.loadBalancer().path(), "{\"location\":\"eastus\"}");
    String entries =
        IntStream.range(0, ADDRESSES)
            .mapToObj(
                i ->
                    """
                    {"name":"aks-nodepool1-12345678-vmss%06d","properties":{
                      "ipAddress":"10.0.%d.%d","virtualNetwork":{"id":"%s"}}}\
                    """
                        .formatted(i, i / 250, i % 250, NETWORK))
            .collect(Collectors.joining(","));
    send(
        "PUT",
        POOL.path(),
        "{\"properties\":{\"loadBalancerBackendAddresses\":[%s]}}".formatted(entries));
  }

  private String send(String method, String path, String body) throws Exception {
    URI uri = URI.create(sim.endpoint() + path + "?api-version=2025-05-01");
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body)).build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    for (String operation : answer.headers().allValues("Azure-AsyncOperation")) {
      http.send(HttpRequest.newBuilder(URI.create(operation)).build(), BodyHandlers.ofString());
    }
    return answer.body();
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    value(sim.close());
    kit.shutdownTestKit();
  }

  @Test
  void aPoolOfFiveThousandAddressesIsWrittenThoughItsAnswerIsLargerThanARequestMayBe()
      throws Exception {
    assertThat(send("GET", POOL.path(), "")).hasSizeGreaterThan(LIMIT);
    PoolEdit edit =
        PoolEdit.of(Set.of(Address.of("10.0.0.0")), Map.of(Address.of("10.1.0.1"), "new"));
    try (AzureArm arm =
        AzureArm.create(
            ScriptedArm.settings(sim.endpoint()),
            ScriptedArm.PATIENCE,
            ScriptedArm.LONGEST,
            ArmObserver.NONE,
            ScriptedArm.CLOCKS,
            Limits.DEFAULT,
            client -> Optional.empty())) {
      PoolDocument before = value(arm.get(POOL, Instant.MAX));

      value(arm.put(before, edit, Instant.MAX));

      assertThat(Json.bytes(PoolBody.apply(((RawPool) before).raw(), edit, Optional.empty())))
          .hasSizeLessThan(LIMIT);
      Set<Address> after = value(arm.get(POOL, Instant.MAX)).view().addresses();
      assertThat(after).hasSize(ADDRESSES).contains(Address.of("10.1.0.1"));
    }
  }
}
