package io.poolkeeper.armsim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.protocol.Members;
import io.poolkeeper.model.Range;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * One fault. With a status, the rule answers the request, which has no effect; without one the
 * request is handled, but late, with a broken answer, without a change, or with an operation that
 * fails.
 *
 * @param method empty: any
 * @param path found anywhere in the request's path, ignoring case
 * @param times how many requests it applies to; empty: all
 * @param probability that it applies to a request that it matches; empty: always
 * @param seed of the rule's own random stream; empty: its id
 * @param code of the error that is answered; empty: the usual one of the status
 * @param detail the code of the error's only detail; empty: none
 * @param message of the error; empty: the usual one of its code
 * @param failureCause the header {@code x-ms-failure-cause}, which says who has refused
 * @param retryAfter the header's text, any text; {@code date:+N} is the date N seconds ahead
 * @param withheld how much later than it is handled the request is answered
 * @param lost an accepted write changes nothing
 * @param source the rule's original JSON
 */
public record FaultRule(
    Optional<String> method,
    Pattern path,
    Optional<Long> times,
    Optional<Double> probability,
    Optional<Long> seed,
    Optional<Integer> status,
    Optional<String> code,
    Optional<String> detail,
    Optional<String> message,
    Optional<String> failureCause,
    Optional<String> retryAfter,
    Delay delay,
    Duration withheld,
    Reset reset,
    Optional<LroFault> lro,
    boolean lost,
    Optional<String> body,
    String contentType,
    JsonNode source) {

  /** The prefix of a {@code retryAfter} that is a date. */
  static final String DATE = "date:+";

  public static FaultRule parse(JsonNode json) {
    return new Reader(Members.of("fault rule", json)).read(json.deepCopy());
  }

  /** The wait that its text says; empty if it says none in seconds. */
  public Optional<Integer> retryAfterSeconds() {
    return retryAfter
        .map(text -> text.replace(DATE, ""))
        .filter(text -> text.matches("\\d{1,9}"))
        .map(Integer::valueOf);
  }

  public boolean needsAcceptedWrite() {
    return lost || lro.isPresent();
  }

  public Fate fate() {
    return lost ? Fate.LOST : lro.map(LroFault::fate).orElse(Fate.APPLIED);
  }

  boolean matches(String requestMethod, String requestPath) {
    return method.stream().allMatch(wanted -> wanted.equalsIgnoreCase(requestMethod))
        && (!needsAcceptedWrite() || writes(requestMethod))
        && path.matcher(requestPath).find();
  }

  static boolean writes(String method) {
    return switch (method.toUpperCase(Locale.ROOT)) {
      case "PUT", "DELETE" -> true;
      default -> false;
    };
  }

  /** Whether the connection closes before an answer is complete. */
  public enum Reset {
    NONE,
    /** Before the first byte of the answer. */
    BEFORE,
    /** In the middle of the answer's body. */
    HALF
  }

  /** Reports all errors of a rule at once. */
  private record Reader(Members rule) {
    private static final String JSON = "application/json; charset=utf-8";
    private static final Range<Integer> STATUS = new Range<>(200, 599);
    private static final Range<Integer> POLLS = new Range<>(1, 1_000_000);
    private static final List<String> RESETS = List.of("true", "false", "before", "half");

    FaultRule read(JsonNode source) {
      var read =
          new FaultRule(
              rule.text("method"),
              pattern(rule.text("path").orElse("")),
              rule.whole("times", 1, Long.MAX_VALUE),
              rule.decimal("probability", 0, 1),
              rule.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE),
              rule.number("status", STATUS),
              rule.text("code"),
              rule.text("detail"),
              rule.text("message"),
              rule.word("failureCause", List.of("gateway", "service")),
              retryAfter(),
              delay(),
              Duration.ofMillis(rule.whole("answerMillis", 0, Delay.MAX_MILLIS).orElse(0L)),
              reset(),
              lro(),
              rule.flag("lost").orElse(false),
              rule.text("body"),
              rule.text("contentType").orElse(JSON),
              source);
      checkTogether(read);
      rule.done();
      return read;
    }

    private void checkTogether(FaultRule read) {
      boolean answers = rule.has("status");
      rule.require(
          answers
              || read.needsAcceptedWrite()
              || rule.has("lro")
              || rule.has("delay")
              || rule.has("delayMillis")
              || rule.has("answerMillis")
              || read.reset() != Reset.NONE,
          "a fault rule needs one of status, delayMillis, reset, answerMillis, delay, lro, lost");
      rule.require(
          answers || !(rule.has("body") || rule.has("contentType")),
          "body, code and retryAfter need a status");
      rule.require(
          answers || rule.has("lro") || !(rule.has("code") || rule.has("retryAfter")),
          "code and retryAfter need a status or lro");
      rule.require(
          (rule.has("status") && rule.has("code")) || !(rule.has("detail") || rule.has("message")),
          "detail and message need a status and a code");
      rule.require(answers || !rule.has("failureCause"), "failureCause needs a status");
      rule.require(!answers || !read.needsAcceptedWrite(), "status excludes lro and lost");
      rule.require(read.lro().isEmpty() || !read.lost(), "lro and lost exclude each other");
      rule.require(!rule.has("seed") || random(), "seed needs a probability or a delay");
      rule.require(
          !read.needsAcceptedWrite() || read.method().stream().allMatch(FaultRule::writes),
          "lro and lost are for PUT and DELETE, found method " + read.method().orElse(""));
    }

    private boolean random() {
      return rule.has("probability") || rule.has("delay");
    }

    private Pattern pattern(String path) {
      try {
        return Pattern.compile(path, Pattern.CASE_INSENSITIVE);
      } catch (PatternSyntaxException wrong) {
        rule.require(
            false,
            "path '%s' is no regular expression: %s".formatted(path, wrong.getDescription()));
        return Pattern.compile("");
      }
    }

    private Optional<String> retryAfter() {
      Optional<String> text = rule.text("retryAfter");
      rule.require(
          text.stream()
              .allMatch(
                  value ->
                      value.startsWith(FaultRule.DATE)
                          ? value.matches("date:\\+\\d{1,9}")
                          : value.matches("[ -~]{1,256}")),
          "retryAfter must be a number, a text, or date:+SECONDS, found " + text.orElse(""));
      return text;
    }

    private Reset reset() {
      return switch (rule.word("reset", RESETS).orElse("false")) {
        case "before" -> Reset.BEFORE;
        case "true", "half" -> Reset.HALF;
        default -> Reset.NONE;
      };
    }

    private Optional<LroFault> lro() {
      Optional<LroFault.Kind> kind = rule.choice("lro", LroFault.Kind.class);
      Optional<Integer> polls = rule.number("polls", POLLS);
      Optional<Duration> time =
          rule.whole("lroMillis", 1, Delay.MAX_MILLIS).map(Duration::ofMillis);
      Optional<LroFault> fault =
          kind.map(known -> new LroFault(known, polls.orElse(1), rule.text("code"), time));
      boolean refusesPolls = fault.flatMap(LroFault::pollStatus).isPresent();
      rule.require(
          time.isPresent() == kind.filter(LroFault.Kind.SLOW::equals).isPresent(),
          "lro slow and lroMillis need each other");
      rule.require(polls.isEmpty() || refusesPolls, "polls needs lro poll429 or poll5xx");
      rule.require(
          kind.isEmpty() || refusesPolls || !rule.has("retryAfter"),
          "retryAfter needs a status, or lro poll429 or poll5xx");
      return fault;
    }

    private Delay delay() {
      Optional<Long> fixed = rule.whole("delayMillis", 0, Delay.MAX_MILLIS);
      Optional<Members> drawn = rule.object("delay");
      rule.require(fixed.isEmpty() || drawn.isEmpty(), "delay and delayMillis exclude each other");
      return drawn.map(Reader::drawn).orElseGet(() -> new Delay.Fixed(fixed.orElse(0L)));
    }

    private static Delay drawn(Members delay) {
      String kind = delay.word("kind", List.of("uniform", "lognormal", "exponential")).orElse("");
      Delay read =
          switch (kind) {
            case "uniform" -> {
              long min = millis(delay, "minMillis", 0);
              long max = millis(delay, "maxMillis", 0);
              delay.require(min <= max, "minMillis is more than maxMillis");
              yield new Delay.Uniform(min, Math.max(min, max));
            }
            case "lognormal" -> {
              long median = millis(delay, "medianMillis", 1);
              long p99 = millis(delay, "p99Millis", 1);
              delay.require(median <= p99, "medianMillis is more than p99Millis");
              yield new Delay.LogNormal(median, p99);
            }
            case "exponential" -> new Delay.Exponential(millis(delay, "meanMillis", 0));
            default -> {
              delay.require(delay.has("kind"), "needs a kind: uniform, lognormal or exponential");
              yield new Delay.Fixed(0);
            }
          };
      if (!kind.isEmpty()) {
        delay.checkUnknown();
      }
      return read;
    }

    private static long millis(Members delay, String member, long min) {
      delay.require(delay.has(member), "needs " + member);
      return delay.whole(member, min, Delay.MAX_MILLIS).orElse(min);
    }
  }

  /** An additional latency of a request: milliseconds, at most {@link #MAX_MILLIS}. */
  public sealed interface Delay {
    /** Ten minutes; longer draws are cut to it. */
    long MAX_MILLIS = 600_000;

    record Fixed(long millis) implements Delay {}

    /** Any time between two bounds, both included. */
    record Uniform(long minMillis, long maxMillis) implements Delay {}

    record LogNormal(long medianMillis, long p99Millis) implements Delay {}

    record Exponential(long meanMillis) implements Delay {}

    /** The next delay; a fixed one draws nothing. */
    default Duration draw(RandomGenerator random) {
      double millis =
          switch (this) {
            case Fixed fixed -> fixed.millis();
            case Uniform uniform -> random.nextLong(uniform.minMillis(), uniform.maxMillis() + 1);
            case LogNormal normal -> logNormal(normal, random);
            case Exponential exponential -> exponential.meanMillis() * random.nextExponential();
          };
      return Duration.ofMillis((long) Math.clamp(millis, 0, MAX_MILLIS));
    }

    private static double logNormal(LogNormal delay, RandomGenerator random) {
      double normalAt99 = 2.3263478740408408;
      double sigma = Math.log((double) delay.p99Millis() / delay.medianMillis()) / normalAt99;
      return delay.medianMillis() * Math.exp(sigma * random.nextGaussian());
    }
  }
}
