package io.poolkeeper.service;

import io.poolkeeper.model.ServiceKey;
import java.util.List;

/**
 * A pool that is not touched, and has no actor except to clean up for a binding.
 *
 * @param services the Services whose rules send to the pool, and that of its binding; in order
 * @param why the reason, for people
 */
public record OptedOut(List<ServiceKey> services, String why) {
  public OptedOut {
    services = List.copyOf(services);
  }
}
