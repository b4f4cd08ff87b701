package io.poolkeeper.kube.binding;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import io.poolkeeper.model.PoolReference;

/**
 * Binds a Service to a backend pool that something else manages, and shows in its status what
 * happens to that pool.
 */
@Group(BackendPoolBinding.GROUP)
@Version("v1alpha1")
@ShortNames("bpb")
@AdditionalPrinterColumn(name = "Service", jsonPath = ".spec.serviceRef.name")
@AdditionalPrinterColumn(name = "LB", jsonPath = ".status.backendPool.loadBalancer")
@AdditionalPrinterColumn(name = "Pool", jsonPath = ".status.backendPool.pool")
@AdditionalPrinterColumn(name = "Ready", jsonPath = BackendPoolBinding.READY)
@AdditionalPrinterColumn(name = "Reason", jsonPath = BackendPoolBinding.REASON)
@AdditionalPrinterColumn(name = "Queued", jsonPath = ".status.queued", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Retries", jsonPath = ".status.retry.count", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Next", jsonPath = ".status.requeueAt")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@ValidationRule(
    value = BackendPoolBinding.NAMES,
    message = "backendPool: " + PoolReference.OF_NAMES)
public final class BackendPoolBinding extends CustomResource<BindingSpec, BindingStatus>
    implements Namespaced {
  public static final String GROUP = "poolkeeper.io";

  /** Keeps a deleted binding until its addresses are out of the pool. */
  public static final String FINALIZER = GROUP + "/addresses";

  private static final String CONDITION = ".status.conditions[?(@.type==\"Ready\")]";
  static final String READY = CONDITION + ".status";
  static final String REASON = CONDITION + ".reason";

  /**
   * Only a new binding has no status: one that was stored before this rule can still be changed, on
   * servers that validate unchanged values, too, or its deletion would never end. The pool itself
   * is immutable.
   */
  static final String NAMES =
      "has(self.status) || (has(self.spec.backendPool.id) ? self.spec.backendPool.id.matches(r'^(/"
          + PoolReference.NAME
          + ")+$') : !has(self.spec.backendPool.resourceGroup) ||"
          + " self.spec.backendPool.resourceGroup.matches(r'^"
          + PoolReference.NAME
          + "$'))";

  private static final long serialVersionUID = 1;
}
