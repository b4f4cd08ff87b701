package io.poolkeeper.simulation;

import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Draws what becomes of each request, until the world is healed. */
final class ArmFaults {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONGEST_THROTTLE = SECOND.multipliedBy(5);

  /** What one exchange may meet. */
  private static final Set<Fault> OF_EXCHANGES = EnumSet.range(Fault.CONFLICT, Fault.LOST_WRITE);

  private final VirtualTime time;
  private final Chance chance;
  private final SimOptions options;
  private final List<Fault> possible;
  private final Optional<List<Fault>> script;
  private int exchanges;
  private boolean on = true;

  /** Until then every call is throttled, as the subscription has no tokens. */
  private Instant throttlesUntil = Instant.MIN;

  /** Calls below that path are refused, also after the world is healed. */
  private String refused = "";

  private Instant refusedUntil = Instant.MIN;
  private Duration wallAhead = Duration.ZERO;

  /** What becomes of a request; no fault at first. */
  static final class Course {
    Duration there;
    Duration back;
    boolean lostOnTheWay;
    boolean replyLost;

    /** The answer in the model's place. */
    Optional<ArmAnswer> instead = Optional.empty();

    /** Whether the model sees the request although another answer comes back. */
    boolean handledAllTheSame;

    /** For a write: whether it is applied, how long its operation takes, and its outcome. */
    Fate write = Fate.APPLIED;

    Duration operation;
    Outcome outcome = new Outcome.Succeeded();

    Course(Duration there, Duration back, Duration operation) {
      this.there = there;
      this.back = back;
      this.operation = operation;
    }

    Course lost(boolean request) {
      lostOnTheWay = request;
      replyLost = !request;
      return this;
    }

    Course answering(ArmAnswer answer, boolean handled) {
      instead = Optional.of(answer);
      handledAllTheSame = handled;
      return this;
    }

    Course operating(Fate fate, Duration length, Outcome outcome) {
      write = fate;
      operation = length;
      this.outcome = outcome;
      return this;
    }
  }

  /**
   * The faults of a run.
   *
   * @param script what the exchanges other than polls meet, in order, instead of what is drawn;
   *     {@link Fault#PORTAL} stands for nothing
   */
  ArmFaults(VirtualTime time, Chance chance, SimOptions options, Optional<List<Fault>> script) {
    this.script = script;
    this.time = time;
    this.chance = chance;
    this.options = options;
    this.possible = OF_EXCHANGES.stream().filter(options::has).toList();
  }

  boolean on() {
    return on;
  }

  /** From now on nothing goes wrong any more. */
  void heal() {
    on = false;
  }

  /** The time of day, which may be set. */
  Instant wall() {
    return time.now().plus(wallAhead);
  }

  void jump(Duration by) {
    wallAhead = wallAhead.plus(by);
  }

  /** The controller has no right to what is below the path. */
  void refuse(String path, Duration length) {
    refused = path;
    refusedUntil = time.now().plus(length);
  }

  boolean refuses(String path) {
    return time.now().isBefore(refusedUntil) && path.startsWith(refused);
  }

  Course of(ArmCall call) {
    Course plain =
        new Course(
            chance.between(MILLI, options.failures().latency()),
            chance.between(MILLI, options.failures().latency()),
            chance.between(MILLI.multipliedBy(100), SECOND.multipliedBy(5)));
    if (script.isPresent()) {
      return scripted(plain, script.get(), call);
    }
    if (on && options.failures().outage().isPresent() && call.path().pool().isPresent()) {
      return plain.answering(outage(options.failures().outage().get()), false);
    }
    if (refuses(call.rawPath())) {
      return plain.answering(error(403, "AuthorizationFailed"), false);
    }
    if (on && time.now().isBefore(throttlesUntil)) {
      return throttled(plain);
    }
    boolean meets = on && !possible.isEmpty() && chance.happens(options.failures().faultRate());
    return meets ? spoiled(plain, chance.pick(possible), call) : plain;
  }

  private Course scripted(Course plain, List<Fault> faults, ArmCall call) {
    boolean counts = call.path().pool().isPresent();
    int number = counts ? exchanges++ : Integer.MAX_VALUE;
    return on && number < faults.size() ? spoiled(plain, faults.get(number), call) : plain;
  }

  private Course serverError(Course plain, boolean write) {
    ArmAnswer answer = error(chance.pick(List.of(408, 500, 502, 503, 504)), "ServerError");
    boolean taken = write && chance.happens(0.7);
    return (taken ? lasting(plain, SECOND.multipliedBy(60)) : plain).answering(answer, taken);
  }

  private Course spoiled(Course plain, Fault fault, ArmCall call) {
    boolean write = call.method() == Method.PUT;
    boolean poll = call.path() instanceof ArmPath.OperationStatus;
    return switch (fault) {
      case CONFLICT ->
          write ? plain.answering(error(chance.pick(List.of(409, 412)), "Conflict"), false) : plain;
      case THROTTLE -> {
        if (chance.happens(0.3)) {
          throttlesUntil = time.now().plus(chance.between(MILLI, LONGEST_THROTTLE));
        }
        yield throttled(plain);
      }
      case LOCK -> write ? plain.answering(advised(error(429, "RetryableError")), false) : plain;
      case SERVER_ERROR -> serverError(plain, write);
      case REFUSAL ->
          poll
              ? plain
              : plain.answering(error(chance.pick(List.of(400, 401, 403)), "Refused"), false);
      case NOT_FOUND -> poll ? plain : plain.answering(error(404, "NotFound"), false);
      case GARBAGE -> plain.answering(garbage(), write);
      case LOST_REQUEST -> plain.lost(true);
      case LOST_REPLY -> plain.lost(false);
      case SLOW_NETWORK -> {
        plain.there = chance.between(MILLI, SECOND.multipliedBy(90));
        plain.back = chance.between(MILLI, SECOND.multipliedBy(90));
        yield plain;
      }
      case SLOW_OPERATION -> lasting(plain, SECOND.multipliedBy(120));
      case STUCK_OPERATION ->
          plain.operating(
              plain.write,
              chance.between(SECOND.multipliedBy(120), SECOND.multipliedBy(900)),
              plain.outcome);
      case FAILED_OPERATION -> plain.operating(Fate.DOOMED, plain.operation, badOutcome());
      case FAILED_POLL ->
          poll
              ? plain.answering(
                  advised(error(chance.pick(List.of(429, 404, 403, 500)), "PollRefused")), false)
              : plain;
      case LOST_WRITE -> plain.operating(Fate.LOST, plain.operation, plain.outcome);
      default -> plain;
    };
  }

  /** The operation takes so long that other writes, or a repeated call, meet it. */
  private Course lasting(Course course, Duration most) {
    return course.operating(course.write, chance.between(SECOND, most), course.outcome);
  }

  private Course throttled(Course plain) {
    return plain.answering(advised(error(429, "SubscriptionRequestsThrottled")), false);
  }

  private static ArmAnswer outage(SimOptions.Outage outage) {
    // Of a 429 with another code, the controller does not know yet whose limit it is.
    String code = outage.status() == 429 ? "SubscriptionRequestsThrottled" : "Outage";
    ArmAnswer answer = error(outage.status(), code);
    return outage
        .retryAfter()
        .map(asked -> answer.with("Retry-After", Long.toString(asked.toSeconds())))
        .orElse(answer);
  }

  private Outcome badOutcome() {
    return chance.pick(
        List.of(
            new Outcome.Failed("InternalServerError", "it failed"),
            new Outcome.Failed("RetryableError", "another operation"),
            new Outcome.Canceled("CanceledAndSupersededDueToAnotherOperation")));
  }

  private static ArmAnswer error(int status, String code) {
    return ArmAnswer.provider(status, code, "Drawn by the simulation.");
  }

  private static ArmAnswer garbage() {
    return new ArmAnswer(
        200, "", Optional.of(out -> out.writeRaw("<html>")), Map.of("Content-Type", "text/html"));
  }

  /** With Retry-After in every form that was seen, invalid ones too. */
  private ArmAnswer advised(ArmAnswer answer) {
    long seconds = chance.between(SECOND, SECOND.multipliedBy(120)).toSeconds();
    List<String> forms = new ArrayList<>(List.of("", "0", "soon", "-5", "315360000"));
    OffsetDateTime date = wall().plusSeconds(seconds).atOffset(ZoneOffset.UTC);
    forms.addAll(List.of(Long.toString(seconds), Long.toString(seconds)));
    forms.add(DateTimeFormatter.RFC_1123_DATE_TIME.format(date));
    String form = chance.pick(forms);
    return form.isEmpty() ? answer : answer.with("Retry-After", form);
  }
}
