package io.poolkeeper.arm;

import java.util.concurrent.CompletionStage;

/** All that the actors ask Azure Resource Manager for. */
public interface ResourceManager extends BackendPools, LoadBalancers, NetworkInterfaces {
  /**
   * When calls can be made; fails with an {@link IllegalArgumentException} that names the setting
   * if the settings make no usable client. Every call fails, too, then.
   */
  CompletionStage<?> ready();
}
