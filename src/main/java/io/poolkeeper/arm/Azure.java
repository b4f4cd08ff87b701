package io.poolkeeper.arm;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The endpoint of ARM, what is managed there, and the identity.
 *
 * @param resourceGroup of the cluster
 * @param loadBalancerResourceGroup where load balancers are listed; the cluster's own if not set
 * @param vnetId resource id of the virtual network, written into a pool that has none
 * @param loadBalancers names without {@code -internal}; empty outside multi-SLB mode
 * @param endpoint Resource Manager endpoint, if not the cloud's
 * @param authorityHost authority that issues tokens, if not the cloud's own directory
 * @param audience whom tokens are for, if it is not the endpoint
 * @param trustCaFile PEM certificates to trust besides the JDK's
 */
public record Azure(
    String subscriptionId,
    String resourceGroup,
    String loadBalancerResourceGroup,
    Optional<String> vnetId,
    List<String> loadBalancers,
    Cloud cloud,
    Optional<URI> endpoint,
    Optional<URI> authorityHost,
    Optional<String> audience,
    Optional<Path> trustCaFile,
    Credential credential,
    String apiVersion) {
  public Azure {
    loadBalancers = List.copyOf(loadBalancers);
  }

  public enum Cloud {
    PUBLIC,
    CHINA,
    US_GOVERNMENT
  }

  /** How the controller authenticates. Secrets are the last component and never printed. */
  public sealed interface Credential {
    /** The Azure SDK's default chain. */
    record Default() implements Credential {}

    /** The federated token of the pod's service account; missing ids come from {@code AZURE_*}. */
    record WorkloadIdentity(Optional<String> tenantId, Optional<String> clientId)
        implements Credential {}

    /** The identity of the machine, or a user-assigned one named by at most one of the two ids. */
    record ManagedIdentity(Optional<String> clientId, Optional<String> resourceId)
        implements Credential {
      /** Distinguishes a resource id from a client id as the cloud provider does. */
      public static ManagedIdentity of(Optional<String> id) {
        boolean isResource =
            id.filter(text -> text.toLowerCase(Locale.ROOT).contains("/subscriptions/"))
                .isPresent();
        return isResource
            ? new ManagedIdentity(Optional.empty(), id)
            : new ManagedIdentity(id, Optional.empty());
      }
    }

    /**
     * A service principal.
     *
     * @param file reads the secret again from the file that has it; empty if no file has it
     */
    record ClientSecret(
        String tenantId, String clientId, String secret, Optional<Supplier<Optional<String>>> file)
        implements Credential {
      /** The credential with the secret that the file has now; unchanged if it has none. */
      public ClientSecret current() {
        return file.flatMap(Supplier::get)
            .map(current -> new ClientSecret(tenantId, clientId, current, file))
            .orElse(this);
      }

      @Override
      public String toString() {
        return "ClientSecret[tenantId=%s, clientId=%s, secret=***]".formatted(tenantId, clientId);
      }
    }

    /** No authentication: loopback simulators only. */
    record None() implements Credential {}
  }
}
