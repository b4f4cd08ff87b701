package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.poolkeeper.kube.EventWatch.Selection;
import io.poolkeeper.model.ServiceKey;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the events of the cloud provider's updater: that it has written the pools of a Service.
 * {@link CloudProviderComplaints} reads those of its main loop. Nothing relies on these events:
 * they may be dropped, or forbidden to read, and then verifications by time remain. Events of the
 * first list are old and ignored.
 */
final class CloudProviderEvents {
  private static final String COMPONENT = "azure-cloud-provider";

  private static final Selection SELECTION =
      Selection.byReason(
          "LoadBalancerBackendPoolUpdated",
          "Service",
          "the cloud provider's writes are noticed later");

  private CloudProviderEvents() {}

  /** Starts to watch; returns at once. */
  static EventWatch start(WatchClient api, Consumer<ServiceKey> wrote) {
    return new EventWatch(api, SELECTION, event -> writtenService(event).ifPresent(wrote));
  }

  /** The Service of an event of the cloud provider's updater; empty for any other event. */
  static Optional<ServiceKey> writtenService(Event event) {
    ObjectReference about = event.getInvolvedObject();
    boolean fromCloudProvider =
        COMPONENT.equals(event.getReportingComponent())
            || (event.getSource() != null && COMPONENT.equals(event.getSource().getComponent()));
    return fromCloudProvider
        ? Optional.of(new ServiceKey(about.getNamespace(), about.getName()))
        : Optional.empty();
  }
}
