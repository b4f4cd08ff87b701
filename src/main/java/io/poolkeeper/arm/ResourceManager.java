package io.poolkeeper.arm;

import java.util.concurrent.CompletionStage;

/** All calls of the actors to Azure Resource Manager. */
public interface ResourceManager extends BackendPools, LoadBalancers, NetworkInterfaces {
  /**
   * When calls can be made; fails with an {@link IllegalArgumentException} that names the setting
   * if the settings make no usable client. Every call fails, too, then.
   */
  CompletionStage<?> ready();
}
