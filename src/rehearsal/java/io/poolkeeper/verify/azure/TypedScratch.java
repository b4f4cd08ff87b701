package io.poolkeeper.verify.azure;

import static java.time.temporal.ChronoUnit.SECONDS;

import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.SubResource;
import com.azure.core.management.exception.ManagementException;
import com.azure.resourcemanager.network.fluent.NetworkManagementClient;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.fluent.models.FrontendIpConfigurationInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancerInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancingRuleInner;
import com.azure.resourcemanager.network.fluent.models.ProbeInner;
import com.azure.resourcemanager.network.fluent.models.SubnetInner;
import com.azure.resourcemanager.network.fluent.models.VirtualNetworkInner;
import com.azure.resourcemanager.network.implementation.NetworkManagementClientBuilder;
import com.azure.resourcemanager.network.models.AddressSpace;
import com.azure.resourcemanager.network.models.IpAllocationMethod;
import com.azure.resourcemanager.network.models.LoadBalancerBackendAddress;
import com.azure.resourcemanager.network.models.LoadBalancerSku;
import com.azure.resourcemanager.network.models.LoadBalancerSkuName;
import com.azure.resourcemanager.network.models.ProbeProtocol;
import com.azure.resourcemanager.network.models.TransportProtocol;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.verify.ArmExchange;
import io.poolkeeper.verify.Place;
import io.poolkeeper.verify.Scratch;
import io.poolkeeper.verify.Witness;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The scratch resources by Azure's own client library, so that what Poolkeeper's client is tried on
 * was made, and is read, by another one.
 */
public final class TypedScratch implements Scratch, Witness {
  private static final String LIST = "2021-04-01";
  private static final int MAX_PAGES = 100;

  private final PlainArm arm;
  private final Instant began;
  private final String subscription;
  private final String group;
  private final NetworkManagementClient network;
  private final String balancer;

  /** Over the same pipeline; {@code run} names the load balancer that pools are read of. */
  public TypedScratch(PlainArm arm, String subscription, String group, String run, Instant began) {
    this.arm = arm;
    this.began = began;
    this.subscription = subscription;
    this.group = group;
    this.balancer = new Place(subscription, group, "", run).balancerName();
    network =
        new NetworkManagementClientBuilder()
            .pipeline(arm.pipeline().pipeline())
            .environment(AzureEnvironment.AZURE) // has no say: the endpoint is given
            .endpoint(arm.pipeline().endpoint())
            .subscriptionId(subscription)
            .defaultPollInterval(Duration.ofSeconds(1))
            .buildClient();
  }

  @Override
  public String location() throws InterruptedException {
    return read(Place.groupPath(subscription, group)).answer().path("location").asText();
  }

  @Override
  public List<Found> found() throws InterruptedException {
    List<Found> found = new ArrayList<>();
    String next = Place.groupPath(subscription, group) + "/resources";
    for (int pages = 0; !next.isEmpty(); pages++) {
      if (pages == MAX_PAGES) {
        throw new Refused("resource group %s holds too much to be listed".formatted(group), false);
      }
      JsonNode page = read(next).answer();
      for (JsonNode one : page.path("value")) {
        found.add(
            new Found(
                one.path("type").asText(),
                one.path("name").asText(),
                one.path("tags").path(Place.TAG).asText(),
                time(one.path("tags").path(Place.TIME).asText())));
      }
      next = page.path("nextLink").asText();
    }
    return found;
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException none) {
      return Optional.empty();
    }
  }

  private ArmExchange read(String url) throws InterruptedException {
    ArmExchange answer = arm.send("GET", url, Optional.of(LIST), Map.of(), Optional.empty());
    if (!answer.accepted()) {
      throw refused(answer.status(), answer.code(), message(answer));
    }
    return answer;
  }

  private static String message(ArmExchange answer) {
    return answer.status() == 0
        ? answer.answer().asText()
        : answer.answer().at("/error/message").asText();
  }

  @Override
  public void make(Place place) {
    Map<String, String> tags =
        Map.of(Place.TAG, place.run(), Place.TIME, began.truncatedTo(SECONDS).toString());
    asked(
        () ->
            network
                .getVirtualNetworks()
                .createOrUpdate(
                    group,
                    place.networkName(),
                    new VirtualNetworkInner()
                        .withLocation(place.location())
                        .withTags(tags)
                        .withAddressSpace(
                            new AddressSpace().withAddressPrefixes(List.of("10.213.0.0/20")))
                        .withSubnets(
                            List.of(
                                new SubnetInner()
                                    .withName("scratch")
                                    .withAddressPrefix("10.213.0.0/24")))));
    asked(
        () ->
            network
                .getLoadBalancers()
                .createOrUpdate(group, place.balancerName(), balancer(place, tags)));
  }

  private static LoadBalancerInner balancer(Place place, Map<String, String> tags) {
    String id = place.balancer().path();
    return new LoadBalancerInner()
        .withLocation(place.location())
        .withTags(tags)
        .withSku(new LoadBalancerSku().withName(LoadBalancerSkuName.STANDARD))
        .withFrontendIpConfigurations(
            List.of(
                new FrontendIpConfigurationInner()
                    .withName("front")
                    .withPrivateIpAllocationMethod(IpAllocationMethod.DYNAMIC)
                    .withSubnet(new SubnetInner().withId(place.network() + "/subnets/scratch"))))
        .withBackendAddressPools(
            List.of(
                new BackendAddressPoolInner().withName(Place.USED),
                new BackendAddressPoolInner().withName(Place.FREE)))
        .withProbes(
            List.of(
                new ProbeInner()
                    .withName("probe")
                    .withProtocol(ProbeProtocol.TCP)
                    .withPort(80)
                    .withIntervalInSeconds(5)
                    .withNumberOfProbes(1)))
        .withLoadBalancingRules(
            List.of(
                new LoadBalancingRuleInner()
                    .withName("rule")
                    .withProtocol(TransportProtocol.TCP)
                    .withFrontendPort(80)
                    .withBackendPort(80)
                    .withFrontendIpConfiguration(
                        new SubResource().withId(id + "/frontendIPConfigurations/front"))
                    .withBackendAddressPool(
                        new SubResource().withId(id + "/backendAddressPools/" + Place.USED))
                    .withProbe(new SubResource().withId(id + "/probes/probe"))));
  }

  @Override
  public void delete(Place place) throws InterruptedException {
    var balancers = network.getLoadBalancers();
    if (ours(place, () -> balancers.getByResourceGroup(group, place.balancerName()).tags())) {
      asked(() -> gone(() -> balancers.delete(group, place.balancerName())));
    }
    var networks = network.getVirtualNetworks();
    if (ours(place, () -> networks.getByResourceGroup(group, place.networkName()).tags())) {
      asked(() -> gone(() -> networks.delete(group, place.networkName())));
    }
    List<Found> stay =
        found().stream().filter(one -> one.name().startsWith(Place.NAMES + place.run())).toList();
    if (!stay.isEmpty()) {
      boolean tagged = stay.stream().anyMatch(one -> one.run().equals(place.run()));
      throw new Refused(
          "%s %s is still there%s"
              .formatted(
                  stay.getFirst().type(),
                  stay.getFirst().name(),
                  tagged ? "" : " and has lost its tag: delete it by hand"),
          tagged); // a list may be older than a deletion
    }
  }

  private static boolean gone(Runnable delete) {
    delete.run();
    return true;
  }

  /** Whether a resource is there and has the tag of the run. */
  private boolean ours(Place place, Supplier<Map<String, String>> tags) {
    return asked(
        () -> {
          try {
            Map<String, String> found = tags.get();
            return found != null && place.run().equals(found.get(Place.TAG));
          } catch (ManagementException failed) {
            if (failed.getResponse().getStatusCode() == 404) {
              return false;
            }
            throw failed;
          }
        });
  }

  private <T> T asked(Supplier<T> call) {
    try {
      return call.get();
    } catch (ManagementException failed) {
      var error = Optional.ofNullable(failed.getValue());
      throw refused(
          failed.getResponse().getStatusCode(),
          error.map(of -> String.valueOf(of.getCode())).orElse(""),
          error.map(of -> String.valueOf(of.getMessage())).orElse(""));
    } catch (ArmException unanswered) {
      throw refused(0, "", unanswered.failure().inFull());
    }
  }

  private Refused refused(int status, String code, String message) {
    boolean passing = status == 0 || status == 408 || status == 429 || status >= 500;
    return new Refused(Refusal.text(group, status, code, message), passing);
  }

  @Override
  public Map<String, Optional<String>> states(String pool) {
    Map<String, Optional<String>> states = new LinkedHashMap<>();
    for (LoadBalancerBackendAddress entry :
        network
            .getLoadBalancerBackendAddressPools()
            .get(group, balancer, pool)
            .loadBalancerBackendAddresses()) {
      states.put(
          entry.name(), Optional.ofNullable(entry.adminState()).map(state -> state.toString()));
    }
    return states;
  }
}
