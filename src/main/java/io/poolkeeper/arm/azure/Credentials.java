package io.poolkeeper.arm.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.AzureAuthorityHosts;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Credential;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Mono;

/**
 * The controller's identity. Tenant, client and token file of a workload identity come from the
 * environment that its webhook sets.
 */
final class Credentials {
  private static final String TIMED_OUT = "signing in timed out";

  private Credentials() {}

  /**
   * The configured credential; empty for {@link Credential.None}. It is built for the first token,
   * so that a failure to build it is one to sign in.
   */
  static Optional<SignIn> of(Azure azure, HttpClient client) {
    if (azure.credential() instanceof Credential.None) {
      return Optional.empty();
    }
    AtomicReference<Built> last =
        new AtomicReference<>(Built.of(azure.credential(), azure, client));
    Mono<TokenCredential> current =
        Mono.defer(() -> last.updateAndGet(built -> built.current(azure, client)).credential());
    return Optional.of(
        new SignIn(
            request -> current.flatMap(credential -> credential.getToken(request)),
            () -> secret(last.get().settings()),
            timeoutMessage(azure.credential())));
  }

  /** The message for a sign-in that does not end; {@link SignIn} finds the fix by its words. */
  private static String timeoutMessage(Credential credential) {
    return switch (credential) {
      case Credential.ManagedIdentity ignored -> TIMED_OUT + " at 169.254.169.254";
      case Credential.Default ignored -> TIMED_OUT + ", perhaps at 169.254.169.254";
      case Credential.WorkloadIdentity ignored -> TIMED_OUT;
      case Credential.ClientSecret ignored -> TIMED_OUT;
      case Credential.None ignored -> throw new IllegalArgumentException("nobody signs in");
    };
  }

  private static Optional<String> secret(Credential credential) {
    return credential instanceof Credential.ClientSecret principal
        ? Optional.of(principal.secret())
        : Optional.empty();
  }

  /** A credential of the SDK. A replaced secret of a file is used for the next token. */
  private record Built(Credential settings, Mono<TokenCredential> credential) {
    static Built of(Credential settings, Azure azure, HttpClient client) {
      return new Built(settings, Mono.fromCallable(() -> build(settings, azure, client)).cache());
    }

    Built current(Azure azure, HttpClient client) {
      Credential current =
          settings instanceof Credential.ClientSecret secret ? secret.current() : settings;
      return current.equals(settings) ? this : of(current, azure, client);
    }
  }

  private static TokenCredential build(Credential credential, Azure azure, HttpClient client) {
    return switch (credential) {
      case Credential.Default ignored -> {
        var builder = new DefaultAzureCredentialBuilder().httpClient(client);
        authority(azure).ifPresent(builder::authorityHost);
        azure.authorityHost().ifPresent(own -> builder.disableInstanceDiscovery());
        yield builder.build();
      }
      case Credential.WorkloadIdentity identity -> {
        var builder =
            withAuthority(azure, new WorkloadIdentityCredentialBuilder().httpClient(client));
        identity.tenantId().ifPresent(builder::tenantId);
        identity.clientId().ifPresent(builder::clientId);
        yield builder.build();
      }
      case Credential.ManagedIdentity identity -> {
        var builder = new ManagedIdentityCredentialBuilder().httpClient(client);
        identity.clientId().ifPresent(builder::clientId);
        identity.resourceId().ifPresent(builder::resourceId);
        yield builder.build();
      }
      case Credential.ClientSecret secret ->
          withAuthority(azure, new ClientSecretCredentialBuilder().httpClient(client))
              .tenantId(secret.tenantId())
              .clientId(secret.clientId())
              .clientSecret(secret.secret())
              .build();
      case Credential.None ignored -> throw new IllegalArgumentException("no credential to build");
    };
  }

  private static <B extends AadCredentialBuilderBase<B>> B withAuthority(Azure azure, B builder) {
    azure.authorityHost().ifPresent(own -> builder.disableInstanceDiscovery());
    return authority(azure).map(builder::authorityHost).orElse(builder);
  }

  /** Empty for the public cloud, so that {@code AZURE_AUTHORITY_HOST} keeps its say there. */
  private static Optional<String> authority(Azure azure) {
    return azure
        .authorityHost()
        .map(URI::toString)
        .or(
            () ->
                switch (azure.cloud()) {
                  case PUBLIC -> Optional.empty();
                  case CHINA -> Optional.of(AzureAuthorityHosts.AZURE_CHINA);
                  case US_GOVERNMENT -> Optional.of(AzureAuthorityHosts.AZURE_GOVERNMENT);
                });
  }
}
