package io.poolkeeper.status;

/** How sure the end of a wait is. */
public enum Exactness {
  /** Then. */
  EXACT,
  /** Then at the latest, in general sooner. */
  LATEST,
  /** About then, as things went lately. */
  ESTIMATE
}
