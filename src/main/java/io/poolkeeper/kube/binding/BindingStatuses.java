package io.poolkeeper.kube.binding;

import io.poolkeeper.admission.BindingReport;
import io.poolkeeper.admission.BindingReport.Shown;
import io.poolkeeper.kube.WatchedKind;
import io.poolkeeper.kube.binding.BindingStatus.Addresses;
import io.poolkeeper.kube.binding.BindingStatus.Condition;
import io.poolkeeper.kube.binding.BindingStatus.ResolvedPool;
import io.poolkeeper.kube.binding.BindingStatus.Retry;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.Truncated;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes a report into the status of its binding. Unchanged parts keep their own text, so that
 * nothing is written if nothing has changed. Texts and lists are cut to what the schema allows.
 */
record BindingStatuses(BindingViews views) {
  private static final int MAX_TEXT = 1_024;

  /** The status of the report, for the binding as it was read. */
  BindingStatus status(BackendPoolBinding read, BindingReport report) {
    return new BindingStatus(
        Objects.requireNonNullElse(read.getMetadata().getGeneration(), 0L),
        Stream.of(
                condition(read, "Ready", report.ready()),
                condition(read, "Admitted", report.admitted()),
                condition(read, "Throttled", report.throttled()))
            .toList(),
        report
            .pool()
            .map(pool -> new ResolvedPool(pool.path(), pool.loadBalancer().name(), pool.name()))
            .orElse(null),
        addresses(report),
        report.shown().map(Shown::queued).orElse(null),
        report.shown().flatMap(this::retry).orElse(null),
        report
            .requeueAt()
            .map(Instant::toString)
            .or(() -> report.shown().flatMap(Shown::nextEligibleAt).map(views::apiTime))
            .orElse(null),
        BindingViews.checkStatuses(read, report.checks()));
  }

  private Condition condition(
      BackendPoolBinding read, String type, BindingReport.Condition condition) {
    String truth = condition.status().name();
    String status = truth.charAt(0) + truth.substring(1).toLowerCase(Locale.ROOT);
    String since =
        WatchedKind.present(BindingViews.status(read).conditions())
            .filter(old -> type.equals(old.type()) && status.equals(old.status()))
            .flatMap(old -> Stream.ofNullable(old.lastTransitionTime()))
            .findFirst()
            .orElseGet(() -> views.apiTime(views.clock().instant()));
    return new Condition(
        type,
        status,
        Objects.requireNonNullElse(read.getMetadata().getGeneration(), 0L),
        since,
        condition.reason(),
        cut(condition.message()));
  }

  private static Addresses addresses(BindingReport report) {
    Optional<Shown> shown = report.shown();
    return new Addresses(
        shown.map(pool -> texts(pool.desired())).orElse(null),
        shown.map(pool -> texts(pool.inPool())).orElse(null),
        shown.map(pool -> texts(pool.down())).orElse(null),
        shown.map(pool -> texts(pool.added())).orElse(null));
  }

  private static List<String> texts(Collection<Address> addresses) {
    return addresses.stream()
        .map(Address::text)
        .sorted()
        .limit(BindingStatus.Addresses.MOST)
        .toList();
  }

  private Optional<Retry> retry(Shown shown) {
    Optional<Instant> next = shown.nextEligibleAt();
    if (shown.retries() == 0 && next.isEmpty() && shown.lastError().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Retry(
            shown.retries(),
            next.map(views::apiTime).orElse(null),
            shown.lastError().map(BindingStatuses::cut).orElse(null)));
  }

  private static String cut(String text) {
    return Truncated.to(MAX_TEXT, text, "…");
  }
}
