package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The Services whose pools the cloud provider says it has written, and the reads that verify them.
 *
 * @param written the Services whose pools are to be verified: by a round of GETs, or by the next
 *     listing, whatever its cause
 * @param verifying the Services whose pools a round of GETs reads now
 * @param gets the pools of that round; empty if none is asked for or under way
 * @param listing the Services that the listing under way serves
 * @param again how often in a row pools were found being written
 */
record CloudProviderWrites(
    Set<ServiceKey> written,
    Set<ServiceKey> verifying,
    List<PoolId> gets,
    Set<ServiceKey> listing,
    int again) {
  static final CloudProviderWrites NONE =
      new CloudProviderWrites(Set.of(), Set.of(), List.of(), Set.of(), 0);

  /** A GET costs a read token, and a listing one for each page. */
  static final int MOST_GETS = 8;

  CloudProviderWrites {
    written = Set.copyOf(written);
    verifying = Set.copyOf(verifying);
    gets = List.copyOf(gets);
    listing = Set.copyOf(listing);
    if (gets.size() > MOST_GETS) {
      throw new IllegalArgumentException(gets.size() + " GETs, allowed are " + MOST_GETS);
    }
  }

  /** Adds Services whose pools are to be looked at. */
  CloudProviderWrites withWritten(Set<ServiceKey> services, int times) {
    Set<ServiceKey> both = new HashSet<>(written);
    both.addAll(services);
    return new CloudProviderWrites(both, verifying, gets, listing, times);
  }

  /** A round of GETs begins, and verifies what is written. */
  CloudProviderWrites getsBegun(List<PoolId> pools) {
    return new CloudProviderWrites(Set.of(), written, pools, listing, again);
  }

  /** A listing begins, and verifies what is written. */
  CloudProviderWrites listingBegun() {
    return new CloudProviderWrites(Set.of(), verifying, gets, written, again);
  }

  /** The GETs have ended. */
  CloudProviderWrites getsEnded() {
    return new CloudProviderWrites(written, Set.of(), List.of(), listing, again);
  }

  /** The listing has ended. */
  CloudProviderWrites listingEnded() {
    return new CloudProviderWrites(written, verifying, gets, Set.of(), again);
  }
}
