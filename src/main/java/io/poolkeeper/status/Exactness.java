package io.poolkeeper.status;

/** How exact the end of a wait is. */
public enum Exactness {
  /** At that time. */
  EXACT,
  /** At that time at the latest, usually sooner. */
  LATEST,
  /** At about that time, by the last minutes. */
  ESTIMATE
}
