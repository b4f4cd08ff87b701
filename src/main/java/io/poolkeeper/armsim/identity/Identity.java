package io.poolkeeper.armsim.identity;

import java.time.InstantSource;

/** Answers every call outside Resource Manager. Stateless. */
public record Identity(InstantSource clock) {
  public IdentityAnswer answer(IdentityCall call) {
    return switch (call.route()) {
      case IdentityRoute.Endpoints route -> CloudMetadata.answer(call);
      case IdentityRoute.OpenIdConfiguration route -> OpenId.configuration(call.origin(), route);
      case IdentityRoute.InstanceDiscovery route -> OpenId.instances(call);
      case IdentityRoute.Keys route -> OpenId.keys();
      case IdentityRoute.Token route -> TokenEndpoint.answer(call, route, clock.instant());
      case IdentityRoute.ManagedIdentity route -> MachineIdentity.answer(call, clock.instant());
    };
  }
}
