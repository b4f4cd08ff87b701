package io.poolkeeper.armsim.identity;

import io.poolkeeper.armsim.identity.IdentityRoute.Endpoints;
import io.poolkeeper.armsim.identity.IdentityRoute.InstanceDiscovery;
import io.poolkeeper.armsim.identity.IdentityRoute.Keys;
import io.poolkeeper.armsim.identity.IdentityRoute.ManagedIdentity;
import io.poolkeeper.armsim.identity.IdentityRoute.OpenIdConfiguration;
import io.poolkeeper.armsim.identity.IdentityRoute.Token;
import java.time.InstantSource;

/** Answers every call outside Resource Manager. Stateless. */
public final class Identity {
  private final TokenEndpoint tokens;
  private final MachineIdentity machine;

  public Identity(InstantSource clock) {
    this.tokens = new TokenEndpoint(clock);
    this.machine = new MachineIdentity(clock);
  }

  /** The answer, which may be an error. */
  public IdentityAnswer answer(IdentityCall call) {
    return switch (call.route()) {
      case Endpoints route -> CloudMetadata.answer(call);
      case OpenIdConfiguration route -> OpenId.configuration(call.origin(), route);
      case InstanceDiscovery route -> OpenId.instances(call);
      case Keys route -> OpenId.keys();
      case Token route -> tokens.answer(call, route);
      case ManagedIdentity route -> machine.answer(call);
    };
  }
}
