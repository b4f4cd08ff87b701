package io.poolkeeper.verify;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A port: the resources of a run. What was not made by a run, by its tag, is never deleted.
 *
 * <p>Each method may throw {@link Refused}.
 */
public interface Scratch {
  /**
   * A resource of the group; by its tags: the run, empty if it is not one of ours, and its time.
   */
  record Found(String type, String name, String run, Optional<Instant> made) {}

  /** Azure has refused it, in words for people. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    /** A refusal; one that is passing may be none the next time. */
    public Refused(String message, boolean passing) {
      super(message);
      this.passing = passing;
    }

    boolean passing() {
      return passing;
    }
  }

  /** Where the group is. */
  String location() throws InterruptedException;

  /** All resources of the group. */
  List<Found> found() throws InterruptedException;

  /** Makes the network, and the load balancer with its pools, rule and probe. */
  void make(Place place);

  /** Deletes what a run has made; nothing if it is gone. Refused if any of it stays. */
  void delete(Place place) throws InterruptedException;
}
