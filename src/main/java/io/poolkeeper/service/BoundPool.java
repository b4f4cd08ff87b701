package io.poolkeeper.service;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Bound;
import io.poolkeeper.pool.Level;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A pool that a Service is bound to, and which the cloud provider does not manage.
 *
 * @param leaving whether the binding ends: what it has added goes, whatever the Service wants
 */
public record BoundPool(PoolId pool, IpFamily family, Bound bound, boolean leaving) {
  /** What the Service wants there, of what it wants in general. */
  Level level(Level desired) {
    if (leaving) {
      Bound shared = new Bound(true, bound.added(), bound.kept());
      return new Level.Exactly(new TreeMap<>(), Optional.empty(), Optional.of(shared));
    }
    return switch (desired) {
      case Level.Unknown unknown -> unknown;
      case Level.Exactly exactly ->
          new Level.Exactly(exactly.members(), exactly.keepUnknown(), Optional.of(bound));
    };
  }
}
