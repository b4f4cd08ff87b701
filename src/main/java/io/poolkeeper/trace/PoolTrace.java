package io.poolkeeper.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.pool.AdminReport;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.Obstacle;
import io.poolkeeper.ratelimit.PriorityLevel;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The trace of one pool. It begins when something waits to be written and ends with the attempt, or
 * when nothing waits any more. The next attempt after a failed one is a trace of its own, with a
 * link to the failed one.
 *
 * @param state as it was reported last
 * @param attempt the trace's first span; empty while nothing waits
 * @param waiting what the pool waits for now
 * @param last the attempt before
 * @param again whether the attempt before has failed
 * @param cause of the attempt
 * @param level in which a permit was asked for last
 * @param pending the nodes whose states the pool did not have when it reported last
 */
record PoolTrace(
    State state,
    Optional<Span> attempt,
    Optional<Span> waiting,
    SpanContext last,
    boolean again,
    String cause,
    Optional<PriorityLevel> level,
    Set<NodeKey> pending) {
  static final PoolTrace NONE =
      new PoolTrace(
          State.IDLE,
          Optional.empty(),
          Optional.empty(),
          SpanContext.getInvalid(),
          false,
          "",
          Optional.empty(),
          Set.of());

  /** The pool asks for a permit, or for one at another priority level. */
  PoolTrace asked(PriorityLevel asked) {
    String why =
        switch (asked) {
          case UPDATE, EARLY -> cause.equals("check") ? cause : "slice";
          case DRAIN, DRAIN_RETRY -> "node";
          case REPAIR -> "repair";
          case RETRY -> cause.isEmpty() ? "slice" : cause;
        };
    PoolTrace next =
        new PoolTrace(state, attempt, waiting, last, again, why, Optional.of(asked), pending);
    if (state == State.WAITING) {
      next.describe();
    }
    return next;
  }

  private void describe() {
    attempt.ifPresent(
        span -> {
          span.setAttribute("poolkeeper.cause", cause);
          level.ifPresent(asked -> span.setAttribute("poolkeeper.lane", word(asked)));
        });
  }

  void writes(PoolEdit edit) {
    attempt.ifPresent(
        span ->
            span.setAttribute("poolkeeper.added", edit.add().size())
                .setAttribute("poolkeeper.removed", edit.remove().size())
                .setAttribute("poolkeeper.admin_states", edit.adminStates().size()));
  }

  void outcome(String word) {
    attempt.ifPresent(span -> span.setAttribute("poolkeeper.outcome", word));
  }

  PoolTrace failed(String outcome, ArmFailure failure) {
    outcome(outcome);
    attempt.ifPresent(span -> span.setStatus(StatusCode.ERROR, failure.inFull()));
    return new PoolTrace(state, attempt, waiting, last, true, cause, level, pending);
  }

  /** The nodes whose states the pool has got since its report before. */
  Set<NodeKey> confirmedBy(AdminReport report) {
    Set<NodeKey> done = new HashSet<>(pending);
    done.removeAll(report.pending());
    return done;
  }

  PoolTrace pending(AdminReport report) {
    return new PoolTrace(state, attempt, waiting, last, again, cause, level, report.pending());
  }

  /** The pool is in that state from now on. */
  PoolTrace next(Tracer tracer, PoolStatus status, Optional<Obstacle> obstacle) {
    State now = status.state();
    waiting.ifPresent(
        span -> obstacle.ifPresent(why -> span.setAttribute("poolkeeper.obstacle", word(why))));
    if (now == state) {
      return this;
    }
    waiting.ifPresent(Span::end);
    PoolTrace before = calling(state) && !calling(now) ? ended() : this;
    return switch (now) {
      case IDLE, FAILED, POSTPONED, STOPPED, OPTED_OUT ->
          before.ended().with(now, Optional.empty());
      case READING, WRITING -> before.begun(tracer, status).with(now, Optional.empty());
      case GATHERING, PARKED, BRAKED, HELD, PAUSED, WAITING ->
          before.begun(tracer, status).waits(tracer, status);
    };
  }

  private static boolean calling(State state) {
    return state == State.READING || state == State.WRITING;
  }

  private PoolTrace with(State now, Optional<Span> wait) {
    return new PoolTrace(now, attempt, wait, last, again, cause, level, pending);
  }

  private PoolTrace waits(Tracer tracer, PoolStatus status) {
    Span span =
        tracer
            .spanBuilder(
                status.state() == State.WAITING ? "wait turn" : "wait " + word(status.state()))
            .setParent(Context.root().with(attempt.orElseThrow()))
            .setAttribute("poolkeeper.why", status.activity().why())
            .startSpan();
    if (status.state() == State.WAITING) {
      describe();
    }
    String why = status.state() == State.HELD ? "check" : cause;
    return new PoolTrace(
        status.state(), attempt, Optional.of(span), last, again, why, level, pending);
  }

  /** With a trace: the one that is open, or a new one. */
  private PoolTrace begun(Tracer tracer, PoolStatus status) {
    if (attempt.isPresent()) {
      return this;
    }
    SpanBuilder span =
        tracer
            .spanBuilder("pool attempt")
            .setNoParent()
            .setAttribute("poolkeeper.load_balancer", status.id().loadBalancer().name())
            .setAttribute("poolkeeper.pool", status.id().name());
    if (again && last.isValid()) {
      span.addLink(last);
    }
    return new PoolTrace(
        state, Optional.of(span.startSpan()), Optional.empty(), last, false, cause, level, pending);
  }

  /** Ends what is open. */
  void end() {
    waiting.ifPresent(Span::end);
    attempt.ifPresent(Span::end);
  }

  private PoolTrace ended() {
    attempt.ifPresent(Span::end);
    return new PoolTrace(
        state,
        Optional.empty(),
        Optional.empty(),
        attempt.map(Span::getSpanContext).orElse(last),
        again,
        again ? cause : "",
        Optional.empty(),
        pending);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
