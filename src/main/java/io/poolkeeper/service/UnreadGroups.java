package io.poolkeeper.service;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.AzureError;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resource groups that could not be listed when that was tried last, names folded. Each is
 * tried again after 1 s, doubling to 30 s, or to 60 s if time alone cannot cure the error. Listings
 * in between leave it out, so that it delays no others. The configured group is in every listing.
 *
 * @param own the configured group; empty before the first listing
 * @param nothing whether the last listing shows no group at all
 * @param balancer a load balancer that is used and cannot be read: tried again likewise
 */
record UnreadGroups(
    Map<String, Unread> all, String own, boolean nothing, Optional<Unread> balancer) {
  /**
   * A group that could not be listed.
   *
   * @param failures in a row
   * @param since when the first of these failures was known
   */
  record Unread(ArmFailure why, int failures, Instant since, Instant retryAt) {
    private static Unread again(
        @Nullable Unread before, ArmFailure why, Duration longest, Instant now) {
      int failures = before == null ? 0 : before.failures;
      Instant since = before == null ? now : before.since;
      Duration doubled = ListingSchedule.DEBOUNCE.multipliedBy(1L << Math.min(failures, 6));
      Duration wait = doubled.compareTo(longest) > 0 ? longest : doubled;
      return new Unread(why, failures + 1, since, now.plus(wait));
    }
  }

  /** From one try of a group to the next: an outage ends for us when a listing shows that. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static final UnreadGroups NONE = new UnreadGroups(Map.of(), "", false, Optional.empty());

  UnreadGroups {
    all = Map.copyOf(all);
  }

  /** After a listing. Groups that it left out stay. */
  UnreadGroups after(Listing listing, Instant now) {
    Map<String, Unread> next = new TreeMap<>(all);
    next.keySet().removeAll(listing.groups());
    listing
        .unread()
        .forEach(
            (group, why) -> next.put(group, Unread.again(all.get(group), why, longest(why), now)));
    return new UnreadGroups(next, listing.own(), listing.groups().isEmpty(), balancer);
  }

  /** After the same listing: why a load balancer cannot be read. */
  UnreadGroups unreadable(Optional<ArmFailure> why, Instant now) {
    Unread before = balancer.orElse(null);
    Optional<Unread> next =
        why.map(error -> Unread.again(before, error, ListingSchedule.MAX_DISTANCE, now));
    return new UnreadGroups(all, own, nothing, next);
  }

  /**
   * What time does not end may last for days, as a missing right, and each try lists all groups.
   */
  private static Duration longest(ArmFailure why) {
    boolean lasts =
        why.kind() == ArmFailure.Kind.RESPONSE && why.error().ender() != AzureError.Ender.TIME;
    return lasts || why.kind() == ArmFailure.Kind.MALFORMED
        ? ListingSchedule.MAX_DISTANCE
        : LONGEST;
  }

  /** Those that a listing leaves out now. */
  Set<String> waiting(Instant now) {
    return all.entrySet().stream()
        .filter(group -> group.getValue().retryAt().isAfter(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether drains no longer wait for the group: one mistyped name must not keep all open. */
  boolean waitedFor(String group, Instant now) {
    return !now.isBefore(Objects.requireNonNull(all.get(group)).since().plus(PATIENCE));
  }

  /** When the first of them is tried again. */
  Optional<Instant> retryAt() {
    return Stream.concat(all.values().stream(), balancer.stream())
        .map(Unread::retryAt)
        .min(Comparator.naturalOrder());
  }

  /** When the configured group is tried again; empty if it was listed. */
  Optional<Instant> ownRetryAt() {
    return Optional.ofNullable(all.get(own)).map(Unread::retryAt);
  }

  SortedMap<String, ArmFailure> failures() {
    SortedMap<String, ArmFailure> failures = new TreeMap<>();
    all.forEach((group, unread) -> failures.put(group, unread.why()));
    return failures;
  }

  /** Why the last listing shows no group at all; empty if it shows any. */
  Optional<ArmFailure> failure() {
    return nothing ? Optional.ofNullable(all.get(own)).map(Unread::why) : Optional.empty();
  }
}
