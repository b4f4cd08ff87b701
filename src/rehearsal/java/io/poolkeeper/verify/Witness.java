package io.poolkeeper.verify;

import java.util.Map;
import java.util.Optional;

/** A port: what another client library shows of the scratch load balancer. */
public interface Witness {
  /** The names of a pool's entries, and the admin states that it shows. */
  Map<String, Optional<String>> states(String pool);
}
