package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

/**
 * The requests of one priority level at one load balancer. Drains are of no namespace, and so of
 * one group.
 *
 * @param namespaces the requests of each namespace in the order of their tickets; none is empty
 */
record Line(TreePMap<String, TreePMap<Long, Request>> namespaces) {
  static final Line EMPTY = new Line(TreePMap.empty());

  boolean isEmpty() {
    return namespaces.isEmpty();
  }

  Stream<Request> all() {
    return namespaces.values().stream().flatMap(requests -> requests.values().stream());
  }

  /** The request of a requester. Incarnations come first, as most of them differ. */
  Optional<Request> requestOf(Requester requester) {
    for (TreePMap<Long, Request> requests : namespaces.values()) {
      for (Request request : requests.values()) {
        if (request.requester().incarnation() == requester.incarnation()
            && request.requester().equals(requester)) {
          return Optional.of(request);
        }
      }
    }
    return Optional.empty();
  }

  /** The oldest request of a namespace; of drains, the oldest of all. The line is not empty. */
  Request oldest() {
    return oldest(namespaces.firstEntry().getValue());
  }

  private static Request oldest(TreePMap<Long, Request> requests) {
    return requests.firstEntry().getValue();
  }

  /** The first by that order among the oldest of each namespace. The line is not empty. */
  Request first(Comparator<Request> order) {
    Request first = oldest();
    if (namespaces.size() > 1) {
      for (TreePMap<Long, Request> requests : namespaces.values()) {
        Request oldest = oldest(requests);
        first = order.compare(oldest, first) < 0 ? oldest : first;
      }
    }
    return first;
  }

  Line with(Request request) {
    String namespace = request.priority().namespace();
    TreePMap<Long, Request> before = namespaces.getOrDefault(namespace, TreePMap.empty());
    return new Line(namespaces.plus(namespace, before.plus(request.ticket(), request)));
  }

  /** Without a request that is in the line. */
  Line without(Request request) {
    String namespace = request.priority().namespace();
    TreePMap<Long, Request> left =
        Objects.requireNonNull(namespaces.get(namespace)).minus(request.ticket());
    return new Line(
        left.isEmpty() ? namespaces.minus(namespace) : namespaces.plus(namespace, left));
  }
}
