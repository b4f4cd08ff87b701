package io.poolkeeper.shadow;

import java.util.Locale;

/** What would have been written. Its name is a label of metrics and of the API. */
public enum Kind {
  /** The members of a pool, for a change of the cluster. */
  MEMBERS,
  /** The members of a pool that differs without one. */
  DRIFT,
  /** Admin states of a pool's entries, which the cloud provider never writes. */
  ADMIN_STATE,
  /** The taint and the annotation of a node. */
  NODE,
  /** The finalizer or the status of a binding. */
  BINDING,
  EVENT;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
