package io.poolkeeper.kube.binding;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a binding asks for. Words of an enumeration are texts here: an unknown one, or a field of a
 * newer schema, must not make all bindings unreadable.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BindingSpec(
    @JsonPropertyDescription("The Service whose endpoints' nodes the pool is to hold.") @Required
        @Nullable ServiceRef serviceRef,
    @JsonPropertyDescription(
            "The pool: its full ARM id, or a load balancer and a pool by name. The oldest binding"
                + " of a pool owns it. Immutable: in another pool the addresses that were added"
                + " would stay for ever.")
        @Required
        @ValidationRule(
            value = "self == oldSelf",
            message = "backendPool is immutable: delete the binding and create another")
        @Nullable PoolRef backendPool,
    @JsonPropertyDescription("The family of the addresses in the pool. Immutable.")
        @SchemaFrom(type = Family.class)
        @Default("IPv4")
        @ValidationRule(
            value = "self == oldSelf",
            message = "ipFamily is immutable: delete the binding and create another")
        @Nullable String ipFamily,
    @JsonPropertyDescription(
            "Checks that must be Ready before the pool's members change; besides the cluster's"
                + " defaults.")
        @Size(max = 16)
        @Nullable List<@Size(min = 1, max = 63) @Pattern(DNS_LABEL) String> admissionChecks,
    @JsonPropertyDescription(
            "false: the binding wants nothing and holds nothing; what it has added stays until it"
                + " is deleted. true again: all checks are asked anew.")
        @Default("true")
        @Nullable Boolean active) {
  static final String DNS_LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

  enum Family {
    IPv4,
    IPv6
  }

  /** A Service of the binding's namespace. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ServiceRef(
      @Required @Size(min = 1, max = 63) @Pattern(DNS_LABEL) @Nullable String name) {}

  /** A backend pool in one of two forms. */
  @ValidationRule(
      value =
          "has(self.id) ? !has(self.loadBalancer) && !has(self.pool) && !has(self.resourceGroup)"
              + " : has(self.loadBalancer) && has(self.pool)",
      message =
          "backendPool must be either id, or loadBalancer and pool (and resourceGroup, if it is"
              + " not the configured one)")
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PoolRef(
      @JsonPropertyDescription("The full ARM id of the backend pool.")
          @Size(min = 1, max = 512)
          @ValidationRule(
              value =
                  "self.matches('(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers"
                      + "/Microsoft[.]Network/loadBalancers/[^/]+/backendAddressPools/[^/]+$')",
              message =
                  "id must be /subscriptions/.../resourceGroups/.../providers/Microsoft.Network"
                      + "/loadBalancers/.../backendAddressPools/...")
          @Nullable String id,
      @JsonPropertyDescription("The load balancer's name.")
          @Size(min = 1, max = 80)
          @Pattern(AZURE_NAME)
          @Nullable String loadBalancer,
      @JsonPropertyDescription("The pool's name.") @Size(min = 1, max = 80) @Pattern(AZURE_NAME)
          @Nullable String pool,
      @JsonPropertyDescription(
              "The load balancer's resource group, if it is not the configured one.")
          @Size(min = 1, max = 90)
          @Pattern("^[^/]+$")
          @Nullable String resourceGroup) {
    static final String AZURE_NAME = "^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$";
  }
}
