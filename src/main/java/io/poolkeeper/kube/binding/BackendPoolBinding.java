package io.poolkeeper.kube.binding;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

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
public final class BackendPoolBinding extends CustomResource<BindingSpec, BindingStatus>
    implements Namespaced {
  public static final String GROUP = "poolkeeper.io";

  /** Keeps a deleted binding until its addresses are out of the pool. */
  public static final String FINALIZER = GROUP + "/addresses";

  private static final String CONDITION = ".status.conditions[?(@.type==\"Ready\")]";
  static final String READY = CONDITION + ".status";
  static final String REASON = CONDITION + ".reason";

  private static final long serialVersionUID = 1;
}
