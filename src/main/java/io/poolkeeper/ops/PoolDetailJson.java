package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.RequestIds;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolPicture;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.CauseLine;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.NextSteps;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.PoolLog;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Stages;
import io.poolkeeper.status.Surroundings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pool in full: the item of {@code /api/v1/pools}, and all that explains it. A contract.
 *
 * @param cause of this pool alone; null if it is in sync
 * @param steps the way of a change, and where it stands
 * @param entries those that change first
 * @param write what an attempt would write now if nothing held it; null if nothing
 * @param events the newest first
 * @param error the last one; null if the last attempt did not fail
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record PoolDetailJson(
    @JsonUnwrapped PoolJson item,
    RowJson row,
    @Nullable CauseJson cause,
    List<Stages.Stage> steps,
    List<Entry> entries,
    @Nullable Write write,
    List<Event> events,
    List<Next> next,
    @Nullable LastError error,
    List<Fact> facts) {
  record Entry(
      String node,
      @Nullable String address,
      @Nullable String state,
      @Nullable String wanted,
      String change,
      String why) {}

  record Write(String etag, int add, int remove, int set, String url) {}

  record Event(
      String at,
      @Nullable String until,
      String lane,
      String kind,
      String text,
      String note,
      @Nullable RequestIds ids) {}

  record Next(@Nullable String at, String when, String text, String note) {}

  record LastError(
      @Nullable String at, int status, String code, String message, @Nullable RequestIds ids) {}

  record Fact(String name, String value) {}

  static PoolDetailJson of(
      PoolStatus pool,
      Snapshot snapshot,
      Installation self,
      List<String> watchProblems,
      Instant now) {
    Surroundings around = StatusJson.input(snapshot, Optional.empty()).surroundings(now);
    PoolLine line = Report.line(pool, around);
    PoolLog log = snapshot.recent().log(pool.id());
    return new PoolDetailJson(
        PoolJson.of(snapshot, pool, now),
        RowJson.of(line, log.last().orElse(null)),
        line.cause()
            .map(cause -> CauseJson.of(CauseLine.of(cause, List.of(line)), watchProblems, self))
            .orElse(null),
        Stages.of(line),
        pool.picture().entries().stream().map(PoolDetailJson::entry).toList(),
        write(pool),
        log.entries().stream().map(PoolDetailJson::event).toList(),
        NextSteps.of(line, around).stream()
            .map(step -> new Next(Times.iso(step.at()), step.when(), step.text(), step.note()))
            .toList(),
        error(pool, log),
        facts(pool, snapshot.bindings()));
  }

  static Entry entry(PoolPicture.Entry entry) {
    return new Entry(
        entry.name(),
        entry.address().map(Address::text).orElse(null),
        entry.is().map(AdminState::toString).orElse(null),
        entry.becomes().map(AdminState::toString).orElse(null),
        entry.change().name().toLowerCase(Locale.ROOT),
        Stages.why(entry));
  }

  private static @Nullable Write write(PoolStatus pool) {
    PoolEdit edit = pool.picture().edit();
    return edit.isEmpty()
        ? null
        : new Write(
            pool.picture().etag(),
            edit.add().size(),
            edit.remove().size(),
            edit.adminStates().size(),
            pool.id().path());
  }

  private static Event event(PoolLog.Entry entry) {
    return new Event(
        Times.iso(entry.at()),
        Times.iso(entry.until()),
        switch (entry.kind()) {
          case CHANGE -> "cluster";
          case WAIT -> "waits";
          case READ, WRITE -> "azure";
        },
        entry.failure().isPresent() ? "failure" : Labels.of(entry.kind()),
        entry.text(),
        entry.failure().map(ArmFailure::toString).orElse(""),
        entry.failure().map(PoolDetailJson::ids).orElse(null));
  }

  private static @Nullable RequestIds ids(ArmFailure failure) {
    return failure.ids().equals(RequestIds.NONE) ? null : failure.ids();
  }

  private static @Nullable LastError error(PoolStatus pool, PoolLog log) {
    Optional<Instant> at =
        log.entries().stream()
            .filter(entry -> entry.failure().isPresent())
            .findFirst()
            .flatMap(PoolLog.Entry::until);
    return pool.lastError()
        .or(() -> pool.difference().failure())
        .map(of -> new LastError(Times.iso(at), of.status(), of.code(), of.message(), ids(of)))
        .orElse(null);
  }

  private static Fact fact(Check check) {
    return new Fact(
        "Check " + check.name(),
        check.state()
            + check.lastTransitionTime().map(at -> " since " + Times.iso(at)).orElse("")
            + (check.message().isEmpty() ? "" : ": " + check.message()));
  }

  private static List<Fact> facts(PoolStatus pool, BindingsView bindings) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("Azure id", pool.id().path()));
    facts.add(new Fact("State in the API", pool.state()));
    facts.add(new Fact("Rules", String.join(", ", pool.picture().rules())));
    facts.add(new Fact("Changes queued", Integer.toString(pool.queued())));
    facts.add(new Fact("Retries used", pool.retries().toString()));
    facts.add(new Fact("Failures in a row", Integer.toString(pool.picture().failures())));
    facts.add(new Fact("Writes and failures", pool.writes() + " and " + pool.failures()));
    for (BindingView binding : bindings.of(pool.id())) {
      facts.add(new Fact("Binding", binding.key().toString()));
      binding.admission().reported().forEach(check -> facts.add(fact(check)));
    }
    return facts;
  }
}
