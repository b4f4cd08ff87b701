package io.poolkeeper.verify;

import static io.poolkeeper.verify.Place.FREE;
import static io.poolkeeper.verify.Place.USED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.verify.Assumption.Finding;
import io.poolkeeper.verify.Bench.Ended;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** How writes meet: etags, operations, and two at once. */
final class WriteChecks {
  private static final String NONE = "nothing to set: Poolkeeper does not depend on it";

  static final List<Assumption> ALL =
      List.of(
          new Assumption(
              "if-match",
              "A write of a pool with an old etag is refused with 412.",
              "leave updater.verify-after on: it finds and repairs a lost write",
              WriteChecks::ifMatch),
          new Assumption(
              "etag-moves",
              "The etag changes when a write is accepted, and again at its end.",
              NONE,
              WriteChecks::etagMoves),
          new Assumption(
              "etag-shared",
              "A load balancer and its pools have one etag.",
              NONE,
              WriteChecks::etagShared),
          new Assumption(
              "operation",
              "An accepted write names its operation in Azure-AsyncOperation, which ends as"
                  + " Succeeded.",
              "no write can be followed: send us the report, and keep mode = shadow",
              WriteChecks::operation),
          new Assumption(
              "second-write",
              "A write that meets another one on its load balancer is refused, or supersedes it.",
              "writes are slower than they might be: nothing to set",
              WriteChecks::secondWrite),
          new Assumption(
              "siblings",
              "While a pool is written, its load balancer and the other pools are Updating.",
              NONE,
              WriteChecks::siblings));

  private WriteChecks() {}

  private static Finding ifMatch(Bench bench) throws InterruptedException {
    String old = bench.written(FREE, bench.pool(1)).etag();
    String current = bench.written(FREE, bench.pool(2)).etag();
    if (old.isEmpty() || old.equals(current)) {
      return Finding.unknown("the etag did not change: " + old);
    }
    ArmExchange stale = bench.put(FREE, bench.pool(3), old);
    if (stale.accepted()) {
      bench.follow(stale);
      return Finding.of(false, "accepted: " + stale.outcome());
    }
    bench.settle();
    String now = bench.needed(bench.getPool(FREE)).etag();
    ArmExchange strong = bench.put(FREE, bench.pool(2), now.replaceFirst("^W/", ""));
    String form = "; a strong tag: " + strong.outcome();
    if (strong.accepted()) {
      bench.follow(strong);
    }
    return stale.refused() || stale.status() == 412
        ? Finding.of(stale.status() == 412, stale.outcome() + form)
        : Finding.unknown(stale.outcome());
  }

  private static Finding etagMoves(Bench bench) throws InterruptedException {
    String before = bench.written(FREE, bench.pool(1)).etag();
    ArmExchange accepted = bench.needed(bench.put(FREE, bench.pool(2)));
    bench.follow(accepted);
    String after = bench.needed(bench.getPool(FREE)).etag();
    boolean atStart = !accepted.etag().equals(before);
    boolean atEnd = !after.equals(accepted.etag());
    return Finding.of(
        atStart && atEnd,
        "at acceptance (%s): %s, at the end: %s"
            .formatted(accepted.state(), changed(atStart), changed(atEnd)));
  }

  private static String changed(boolean has) {
    return has ? "changed" : "the same";
  }

  private static Finding etagShared(Bench bench) throws InterruptedException {
    var etags = new HashSet<String>();
    etags.add(bench.needed(bench.get(bench.place().balancer().path())).etag());
    etags.add(bench.needed(bench.getPool(USED)).etag());
    etags.add(bench.needed(bench.getPool(FREE)).etag());
    return Finding.of(etags.size() == 1, "etags: " + etags.size());
  }

  private static Finding operation(Bench bench) throws InterruptedException {
    ArmExchange accepted = bench.needed(bench.put(FREE, bench.pool(3)));
    List<String> named = new ArrayList<>();
    for (String name : List.of("Azure-AsyncOperation", "Location", "x-ms-request-id")) {
      accepted.header(name).ifPresent(any -> named.add(name));
    }
    Ended ended = bench.follow(accepted);
    return Finding.of(
        accepted.header("Azure-AsyncOperation").isPresent() && ended.succeeded(),
        "%s with %s; Retry-After: %s, of polls: %s; end: %s after %d polls"
            .formatted(
                accepted.outcome(),
                named.isEmpty() ? "none of the headers" : String.join(", ", named),
                wait(accepted),
                wait(ended.last()),
                ended.outcome(),
                ended.polls()));
  }

  private static String wait(ArmExchange exchange) {
    return exchange.header("Retry-After").orElse("none");
  }

  private static Finding secondWrite(Bench bench) throws InterruptedException {
    Finding same = secondWrite(bench, USED, "same pool");
    bench.settle();
    Finding other = secondWrite(bench, FREE, "other pool");
    AssumptionVerdict verdict =
        List.of(AssumptionVerdict.DIFFERS, AssumptionVerdict.UNKNOWN, AssumptionVerdict.HOLDS)
            .stream()
            .filter(one -> same.verdict() == one || other.verdict() == one)
            .findFirst()
            .orElseThrow();
    return new Finding(verdict, same.seen() + "; " + other.seen());
  }

  private static Finding secondWrite(Bench bench, String second, String what)
      throws InterruptedException {
    ObjectNode changed = bench.pool(1);
    bench.written(USED, bench.pool(2));
    bench.written(FREE, bench.pool(2));
    ArmExchange first = bench.needed(bench.put(USED, changed));
    ArmExchange meets = bench.put(second, bench.pool(4));
    boolean met = bench.runs(first);
    Optional<Ended> later = meets.accepted() ? Optional.of(bench.follow(meets)) : Optional.empty();
    Ended earlier = bench.follow(first);
    String seen =
        "%s: %s%s%s; the first: %s"
            .formatted(
                what,
                meets.outcome(),
                meets.header("Retry-After").map(" Retry-After "::concat).orElse(""),
                later.map(end -> ", " + end.outcome()).orElse(""),
                earlier.outcome());
    boolean refused =
        (meets.status() == 429 && meets.codes().contains("RetryableError"))
            || (meets.status() == 409 && meets.codes().contains("AnotherOperation"));
    boolean superseded = meets.accepted() && earlier.status().equals("Canceled");
    if (refused || superseded) {
      return Finding.of(true, seen);
    }
    return met && earlier.succeeded() && later.filter(Ended::succeeded).isPresent()
        ? Finding.of(false, seen)
        : Finding.unknown(seen + (met ? "" : ", perhaps before the second one came"));
  }

  private static Finding siblings(Bench bench) throws InterruptedException {
    bench.written(USED, bench.pool(1));
    ArmExchange accepted = bench.needed(bench.put(USED, bench.pool(2)));
    ArmExchange other = bench.needed(bench.getPool(FREE));
    ArmExchange balancer = bench.needed(bench.get(bench.place().balancer().path()));
    ArmExchange own = bench.needed(bench.getPool(USED));
    bench.follow(accepted);
    String seen =
        "the pool: %s, the other one: %s, the load balancer: %s"
            .formatted(own.state(), other.state(), balancer.state());
    if (!own.state().equals("Updating")) {
      return Finding.unknown(seen);
    }
    return Finding.of(
        other.state().equals("Updating") && balancer.state().equals("Updating"), seen);
  }
}
