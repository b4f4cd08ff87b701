package io.poolkeeper.arm;

import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Ports over an adapter that is still being made, so that the caches fill meanwhile. The first
 * calls wait for it.
 */
public record DeferredArm<A extends BackendPools & LoadBalancers>(CompletionStage<A> adapter)
    implements BackendPools, LoadBalancers {
  @Override
  public CompletionStage<PoolDocument> get(PoolId pool) {
    return adapter.thenCompose(arm -> arm.get(pool));
  }

  @Override
  public CompletionStage<Void> put(PoolDocument document, PoolEdit edit) {
    return adapter.thenCompose(arm -> arm.put(document, edit));
  }

  @Override
  public CompletionStage<List<LoadBalancerView>> list() {
    return adapter.thenCompose(LoadBalancers::list);
  }
}
