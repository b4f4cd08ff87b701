package io.poolkeeper.service;

/** Why load balancers are listed. The first of several due causes counts. */
public enum ListingCause {
  /** The first listing of the process. */
  START,
  /** Nodes are out of service, or were until a moment ago. */
  DRAIN,
  /** The cloud provider says that it has written a pool. */
  PEER,
  /** A pool that has settled is looked at once more, as another writer may still act. */
  LOOK,
  /** Something was found that only a listing can explain, or the last one failed. */
  ASKED,
  /** The regular one. */
  RESYNC
}
