package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.AzureEnvironment.Endpoint;
import com.azure.core.management.SubResource;
import com.azure.core.management.exception.ManagementException;
import com.azure.core.management.polling.PollResult;
import com.azure.core.management.profile.AzureProfile;
import com.azure.core.util.polling.LongRunningOperationStatus;
import com.azure.core.util.polling.SyncPoller;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.resourcemanager.network.NetworkManager;
import com.azure.resourcemanager.network.fluent.LoadBalancerBackendAddressPoolsClient;
import com.azure.resourcemanager.network.fluent.LoadBalancersClient;
import com.azure.resourcemanager.network.fluent.NetworkManagementClient;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancerInner;
import com.azure.resourcemanager.network.implementation.NetworkManagementClientBuilder;
import com.azure.resourcemanager.network.models.LoadBalancerBackendAddress;
import com.azure.resourcemanager.network.models.LoadBalancerBackendAddressAdminState;
import com.azure.resourcemanager.network.models.LoadBalancerSku;
import com.azure.resourcemanager.network.models.LoadBalancerSkuName;
import com.azure.resourcemanager.network.models.ProvisioningState;
import com.azure.resourcemanager.resources.ResourceManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The management library of the Azure SDK as a foreign client: with its own sign-in, models and
 * polling; only the endpoint, the trusted authority and the identity are set.
 */
class TypedSdkIT {
  private static final String SUBSCRIPTION = "00000000-0000-0000-0000-00000000000a";
  private static final String TENANT = "00000000-0000-0000-0000-00000000000b";
  private static final String GROUP = "rg-sdk";
  private static final SubResource NETWORK =
      new SubResource()
          .withId(
              "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/virtualNetworks/v"
                  .formatted(SUBSCRIPTION, GROUP));

  private static final AtomicReference<String> IF_MATCH = new AtomicReference<>("");

  private static GuardedArm arm;
  private static LoadBalancersClient balancers;
  private static LoadBalancerBackendAddressPoolsClient pools;

  @BeforeAll
  static void start() throws Exception {
    arm = new GuardedArm();
    String base = arm.endpoint().toString();
    AzureProfile profile =
        new AzureProfile(
            TENANT,
            SUBSCRIPTION,
            new AzureEnvironment(
                Map.of(
                    Endpoint.RESOURCE_MANAGER.identifier(), base + "/",
                    Endpoint.MANAGEMENT.identifier(), base + "/",
                    Endpoint.ACTIVE_DIRECTORY.identifier(), base + "/")));
    TokenCredential credential =
        new ClientSecretCredentialBuilder()
            .httpClient(arm.client())
            .authorityHost(base)
            .disableInstanceDiscovery()
            .tenantId(TENANT)
            .clientId("typed-sdk")
            .clientSecret("hush")
            .build();
    ResourceManager.configure()
        .withHttpClient(arm.client())
        .authenticate(credential, profile)
        .withSubscription(SUBSCRIPTION)
        .resourceGroups()
        .define(GROUP)
        .withRegion("westeurope")
        .create();
    NetworkManager manager =
        NetworkManager.configure()
            .withHttpClient(arm.client())
            .withPolicy(ifMatchOnPut())
            .authenticate(credential, profile);
    // By default the library waits 30 s between polls: it ignores "Retry-After: 0".
    NetworkManagementClient network =
        new NetworkManagementClientBuilder()
            .pipeline(manager.httpPipeline())
            .environment(profile.getEnvironment())
            .endpoint(base)
            .subscriptionId(SUBSCRIPTION)
            .defaultPollInterval(Duration.ofMillis(20))
            .buildClient();
    balancers = network.getLoadBalancers();
    pools = network.getLoadBalancerBackendAddressPools();
  }

  /** Poll requests must not have the header. */
  private static HttpPipelinePolicy ifMatchOnPut() {
    return (context, next) -> {
      String etag = IF_MATCH.get();
      if (context.getHttpRequest().getHttpMethod() == HttpMethod.PUT && !etag.isEmpty()) {
        context.getHttpRequest().setHeader(com.azure.core.http.HttpHeaderName.IF_MATCH, etag);
      }
      return next.process();
    };
  }

  @AfterAll
  static void stop() {
    arm.close();
  }

  @BeforeEach
  void writeUnconditionally() {
    IF_MATCH.set("");
  }

  private static LoadBalancerInner balancer(String name) {
    return balancers.createOrUpdate(
        GROUP,
        name,
        new LoadBalancerInner()
            .withSku(new LoadBalancerSku().withName(LoadBalancerSkuName.STANDARD))
            .withLocation("westeurope")
            .withTags(Map.of("made-by", "sdk")));
  }

  private static BackendAddressPoolInner members(String... addresses) {
    List<LoadBalancerBackendAddress> entries =
        List.of(addresses).stream()
            .map(
                address ->
                    new LoadBalancerBackendAddress()
                        .withName("n-" + address.replace(':', '-'))
                        .withIpAddress(address)
                        .withVirtualNetwork(NETWORK))
            .toList();
    return new BackendAddressPoolInner().withLoadBalancerBackendAddresses(entries);
  }

  private static List<String> addresses(BackendAddressPoolInner pool) {
    return pool.loadBalancerBackendAddresses().stream()
        .map(LoadBalancerBackendAddress::ipAddress)
        .toList();
  }

  @Test
  void aPoolIsCreatedChangedListedAndDeleted() {
    balancer("lb-life");

    SyncPoller<PollResult<BackendAddressPoolInner>, BackendAddressPoolInner> poller =
        pools
            .beginCreateOrUpdate(GROUP, "lb-life", "web", members("10.0.0.4", "10.0.0.5"))
            .setPollInterval(Duration.ofMillis(20));
    assertThat(poller.poll().getStatus()).isIn(LongRunningOperationStatus.IN_PROGRESS, finished());
    assertThat(poller.waitForCompletion().getStatus()).isEqualTo(finished());
    BackendAddressPoolInner created = poller.getFinalResult();
    assertThat(created.provisioningState()).isEqualTo(ProvisioningState.SUCCEEDED);
    assertThat(addresses(created)).containsExactly("10.0.0.4", "10.0.0.5");
    assertThat(created.loadBalancerBackendAddresses())
        .allSatisfy(entry -> assertThat(entry.adminState()).isNull());

    created
        .loadBalancerBackendAddresses()
        .getFirst()
        .withAdminState(LoadBalancerBackendAddressAdminState.DOWN);
    BackendAddressPoolInner drained = pools.createOrUpdate(GROUP, "lb-life", "web", created);
    assertThat(drained.loadBalancerBackendAddresses().getFirst().adminState())
        .isEqualTo(LoadBalancerBackendAddressAdminState.DOWN);
    assertThat(drained.etag()).isNotEqualTo(created.etag());

    pools.createOrUpdate(GROUP, "lb-life", "empty", new BackendAddressPoolInner());
    pools.createOrUpdate(GROUP, "lb-life", "six", members("fd00::4"));
    assertThat(pools.list(GROUP, "lb-life").stream().map(BackendAddressPoolInner::name))
        .as("over two pages")
        .containsExactlyInAnyOrder("web", "empty", "six");
    assertThat(balancers.getByResourceGroup(GROUP, "lb-life").backendAddressPools())
        .as("visible in their load balancer")
        .hasSize(3);

    pools.delete(GROUP, "lb-life", "web");
    assertThatThrownBy(() -> pools.get(GROUP, "lb-life", "web"))
        .isInstanceOfSatisfying(
            ManagementException.class,
            missing -> {
              assertThat(missing.getResponse().getStatusCode()).isEqualTo(404);
              assertThat(missing.getValue().getCode()).isEqualTo("NotFound");
            });
  }

  private static LongRunningOperationStatus finished() {
    return LongRunningOperationStatus.SUCCESSFULLY_COMPLETED;
  }

  @Test
  void loadBalancersAreListedOverPagesAndDeleted() {
    for (String name : List.of("list-1", "list-2", "list-3")) {
      balancer(name);
    }

    assertThat(balancers.listByResourceGroup(GROUP).stream().map(LoadBalancerInner::name))
        .contains("list-1", "list-2", "list-3");
    LoadBalancerInner read = balancers.getByResourceGroup(GROUP, "list-1");
    assertThat(read.sku().name()).isEqualTo(LoadBalancerSkuName.STANDARD);
    assertThat(read.tags()).containsEntry("made-by", "sdk");

    balancers.delete(GROUP, "list-1");
    assertThatThrownBy(() -> balancers.getByResourceGroup(GROUP, "list-1"))
        .isInstanceOfSatisfying(
            ManagementException.class,
            missing -> assertThat(missing.getValue().getCode()).isEqualTo("ResourceNotFound"));
  }

  @Test
  void whatIsNotThereIsNotFoundInAzuresWords() {
    assertThatThrownBy(() -> balancers.getByResourceGroup("rg-none", "lb"))
        .isInstanceOfSatisfying(
            ManagementException.class,
            missing -> assertThat(missing.getValue().getCode()).isEqualTo("ResourceGroupNotFound"));
    assertThatThrownBy(() -> pools.createOrUpdate(GROUP, "lb-none", "p", members()))
        .isInstanceOfSatisfying(
            ManagementException.class,
            missing -> assertThat(missing.getResponse().getStatusCode()).isEqualTo(404));
  }

  @Test
  void aStaleEtagIsRefusedAndTheNewOneIsNot() {
    balancer("lb-etag");
    BackendAddressPoolInner first =
        pools.createOrUpdate(GROUP, "lb-etag", "web", members("10.0.0.4"));
    BackendAddressPoolInner second =
        pools.createOrUpdate(GROUP, "lb-etag", "web", members("10.0.0.4", "10.0.0.5"));

    IF_MATCH.set(first.etag());
    assertThatThrownBy(() -> pools.createOrUpdate(GROUP, "lb-etag", "web", members("10.0.0.6")))
        .isInstanceOfSatisfying(
            ManagementException.class,
            refused -> {
              assertThat(refused.getResponse().getStatusCode()).isEqualTo(412);
              assertThat(refused.getValue().getCode()).isEqualTo("PreconditionFailed");
              assertThat(refused.getValue().getDetails())
                  .singleElement()
                  .extracting(detail -> detail.getCode())
                  .isEqualTo("PreconditionFailedEtagMismatch");
            });

    IF_MATCH.set(second.etag());
    BackendAddressPoolInner third =
        pools.createOrUpdate(GROUP, "lb-etag", "web", members("10.0.0.6"));
    assertThat(addresses(third)).containsExactly("10.0.0.6");
  }
}
