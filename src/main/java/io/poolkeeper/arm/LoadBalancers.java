package io.poolkeeper.arm;

import io.poolkeeper.model.LoadBalancerView;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Lists load balancers. Futures fail with {@link ArmException} only; none stays open for ever. */
public interface LoadBalancers {
  /** All load balancers of the configured resource group, every page of them. */
  CompletionStage<List<LoadBalancerView>> list();
}
