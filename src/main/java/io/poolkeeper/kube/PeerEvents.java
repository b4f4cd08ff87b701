package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.poolkeeper.kube.EventWatch.Selection;
import io.poolkeeper.model.ServiceKey;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hears from the events of the cloud provider's updater that it has written the pools of a Service;
 * for those of its main loop see {@link PeerComplaints}. Nothing relies on it: events may be
 * dropped, or forbidden to read, and then looks by time remain. What is listed first is old and
 * ignored; what has changed since then is reported.
 */
final class PeerEvents {
  private static final String COMPONENT = "azure-cloud-provider";

  private static final Selection SELECTION =
      new Selection(
          "LoadBalancerBackendPoolUpdated",
          "Service",
          false,
          "the cloud provider's writes are noticed later");

  private PeerEvents() {}

  /** Starts to listen; returns at once. */
  static EventWatch start(WatchClient api, Consumer<ServiceKey> wrote) {
    return new EventWatch(api, SELECTION, event -> written(event).ifPresent(wrote));
  }

  /** The Service, if an event about one is of the cloud provider's updater. */
  static Optional<ServiceKey> written(Event event) {
    ObjectReference about = event.getInvolvedObject();
    boolean peers =
        COMPONENT.equals(event.getReportingComponent())
            || (event.getSource() != null && COMPONENT.equals(event.getSource().getComponent()));
    return peers
        ? Optional.of(new ServiceKey(about.getNamespace(), about.getName()))
        : Optional.empty();
  }
}
