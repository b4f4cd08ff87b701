package io.poolkeeper.admission;

import io.poolkeeper.admission.Admission.Admitted;
import io.poolkeeper.admission.Admission.Held;
import io.poolkeeper.admission.Admission.Inactive;
import io.poolkeeper.admission.Admission.Rejected;
import io.poolkeeper.admission.AdmissionDecision.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether outside authorities admit the writes of a binding's pool (spec 5). A core without state:
 * each decision follows from one version of the object and the time. So an answer cannot be lost: a
 * reset is written for the version it was decided from, and an answer in between makes another
 * version.
 *
 * <p>Rules beyond the text of spec 5 (decision 0019):
 *
 * <ul>
 *   <li>The wait lasts until the latest end of the delays of the checks that are in Retry now;
 *       those that are Pending are not waited for. Then all checks are asked again, also those that
 *       were Ready.
 *   <li>While one check is Rejected, none is asked again: no answer could admit anything.
 *   <li>An answer is about one spec: a changed spec asks all checks anew, with counts of 0. So a
 *       binding that was inactive starts clean even if nobody saw it inactive.
 *   <li>An inactive binding has no checks in its status: nobody is asked.
 *   <li>A Retry of more than a minute in the future, or without a time, counts from now, and that
 *       is written. Of several entries with one name the most restrictive counts. Entries that
 *       nobody listed are removed.
 * </ul>
 *
 * @param defaults the checks that are asked for every binding of the cluster, besides its own
 */
public record AdmissionChecks(AdmissionLimits limits, List<String> defaults) {
  /** How far a checker's clock may be ahead of the controller's. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  public AdmissionChecks {
    defaults = List.copyOf(defaults);
    if (defaults.size() > limits.checks()) {
      throw new IllegalArgumentException(tooMany(defaults, limits));
    }
  }

  boolean asked(AdmissionSubject subject) {
    return subject.active() && !(defaults.isEmpty() && subject.listed().isEmpty());
  }

  public AdmissionDecision decide(AdmissionSubject subject, Instant now) {
    if (subject.deleted()) {
      return new AdmissionDecision(new Admitted(), Optional.empty(), Optional.empty());
    }
    if (!subject.active()) {
      return decision(new Inactive(), subject, List.of(), false);
    }
    if (subject.listed().size() > limits.checks()) {
      return decision(held(tooMany(subject.listed(), limits)), subject, subject.reported(), false);
    }
    Instant serverTime = now.minus(subject.ahead());
    return answered(subject, checks(subject, serverTime), serverTime);
  }

  private AdmissionDecision answered(AdmissionSubject subject, List<Check> checks, Instant now) {
    List<Check> rejected = in(Check.State.REJECTED, checks).toList();
    if (!rejected.isEmpty()) {
      String why = "rejected by " + text(rejected);
      return decision(new Rejected(limits.cut(why)), subject, checks, false);
    }
    Optional<Instant> until =
        in(Check.State.RETRY, checks).map(this::until).max(Comparator.naturalOrder());
    boolean reset = until.filter(end -> !end.isAfter(now)).isPresent();
    List<Check> next =
        reset ? checks.stream().map(check -> check.reset(now, limits)).toList() : checks;
    List<Check> open = next.stream().filter(check -> check.state() != Check.State.READY).toList();
    if (open.isEmpty()) {
      return decision(new Admitted(), subject, next, false);
    }
    Held held = held("waiting for " + text(open));
    return decision(reset ? held : new Held(until, held.why()), subject, next, reset);
  }

  private Held held(String why) {
    return new Held(Optional.empty(), limits.cut(why));
  }

  private AdmissionDecision decision(
      Admission admission, AdmissionSubject subject, List<Check> next, boolean reset) {
    boolean same =
        !subject.changed()
            && next.size() == subject.reported().size()
            && new HashSet<>(next).containsAll(subject.reported());
    return new AdmissionDecision(
        admission,
        same ? Optional.empty() : Optional.of(new Update(next, reset)),
        admission instanceof Held held ? held.until() : Optional.empty());
  }

  /** The checks that are asked, as the status is to have them, in its order. */
  private List<Check> checks(AdmissionSubject subject, Instant now) {
    List<String> names =
        Stream.concat(subject.listed().stream(), defaults.stream()).distinct().toList();
    BinaryOperator<Check> stricter =
        BinaryOperator.maxBy(Comparator.comparing(Check::state).thenComparing(this::until));
    Map<String, Check> checks = new LinkedHashMap<>();
    subject.reported().stream()
        .filter(check -> names.contains(check.name()))
        .map(check -> subject.changed() ? askedAnew(check, now) : timed(check.settled(), now))
        .forEach(check -> checks.merge(check.name(), check, stricter));
    names.forEach(name -> checks.computeIfAbsent(name, missing -> Check.pending(missing, now)));
    return List.copyOf(checks.values());
  }

  /** The check of a changed spec; one that is still Pending keeps its time. */
  private static Check askedAnew(Check check, Instant now) {
    Instant since =
        check.state() == Check.State.PENDING ? check.lastTransitionTime().orElse(now) : now;
    return Check.pending(check.name(), since);
  }

  /** The check; a Retry without a believable time counts from now. */
  private static Check timed(Check check, Instant now) {
    Instant latest = now.plus(SKEW);
    boolean timed = check.lastTransitionTime().filter(time -> !time.isAfter(latest)).isPresent();
    return timed || check.state() != Check.State.RETRY ? check : check.since(now);
  }

  /** The end of the delay that the check asks for, as far as that is allowed. */
  private Instant until(Check check) {
    Duration delay = tooLong(check) ? limits.maxDelay() : check.delay();
    return check.lastTransitionTime().orElse(Instant.EPOCH).plus(delay);
  }

  private boolean tooLong(Check check) {
    return check.delay().compareTo(limits.maxDelay()) > 0;
  }

  private static Stream<Check> in(Check.State state, List<Check> checks) {
    return checks.stream().filter(check -> check.state() == state);
  }

  private String text(List<Check> checks) {
    return checks.stream().map(this::text).collect(Collectors.joining(", "));
  }

  private String text(Check check) {
    StringBuilder text = new StringBuilder(check.name()).append(" (").append(check.state());
    if (check.state() == Check.State.RETRY) {
      text.append(" until ").append(until(check));
      if (tooLong(check)) {
        text.append(
            ", %d s cut to %d s by admission.max-delay"
                .formatted(check.delay().toSeconds(), limits.maxDelay().toSeconds()));
      }
    }
    return text.append(check.message().isEmpty() ? "" : ": " + check.message())
        .append(")")
        .toString();
  }

  private static String tooMany(List<String> names, AdmissionLimits limits) {
    return "%d checks are listed, at most %d are allowed".formatted(names.size(), limits.checks());
  }
}
