package io.poolkeeper.verify;

import java.util.List;

/**
 * A port: the resources of a run. What was not made by a run, by its tag, is never deleted.
 *
 * <p>Each method may throw {@link Refused}.
 */
public interface Scratch {
  /** A resource of the group; the run is empty if it is not one of ours. */
  record Found(String type, String name, String run) {}

  /** Azure has refused it, in words for people. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Refused(String message, Throwable cause) {
      super(message, cause);
    }

    public Refused(String message) {
      super(message);
    }
  }

  /** Where the group is. */
  String location() throws InterruptedException;

  /** All resources of the group. */
  List<Found> found() throws InterruptedException;

  /** Makes the network, and the load balancer with its pools, rule and probe. */
  void make(Place place);

  /** Deletes what a run has made; nothing if it is gone. Takes minutes at most. */
  void delete(Place place);
}
