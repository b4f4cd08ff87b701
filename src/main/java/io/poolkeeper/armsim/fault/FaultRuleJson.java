package io.poolkeeper.armsim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.Members;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Parses fault rules; reports all errors of a rule at once. */
final class FaultRuleJson {
  private static final String JSON = "application/json; charset=utf-8";
  private static final int MAX_POLLS = 1_000_000;
  private static final List<String> RESETS = List.of("true", "false", "before", "half");

  private final Members rule;

  private FaultRuleJson(Members rule) {
    this.rule = rule;
  }

  static FaultRule parse(JsonNode json) {
    Members rule = Members.of("fault rule", json);
    return new FaultRuleJson(rule).read(json.deepCopy());
  }

  private FaultRule read(JsonNode source) {
    var read =
        new FaultRule(
            rule.text("method"),
            pattern(rule.text("path").orElse("")),
            rule.whole("times", 1, Long.MAX_VALUE),
            rule.decimal("probability", 0, 1),
            rule.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE),
            rule.number("status", 200, 599),
            rule.text("code"),
            retryAfter(),
            delay(),
            Duration.ofMillis(rule.whole("answerMillis", 0, Delay.MAX_MILLIS).orElse(0)),
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
          false, "path '%s' is no regular expression: %s".formatted(path, wrong.getDescription()));
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
    OptionalInt polls = rule.number("polls", 1, MAX_POLLS);
    OptionalLong runs = rule.whole("lroMillis", 1, Delay.MAX_MILLIS);
    Optional<Duration> time =
        runs.isPresent() ? Optional.of(Duration.ofMillis(runs.getAsLong())) : Optional.empty();
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
    OptionalLong fixed = rule.whole("delayMillis", 0, Delay.MAX_MILLIS);
    Optional<Members> drawn = rule.object("delay");
    rule.require(fixed.isEmpty() || drawn.isEmpty(), "delay and delayMillis exclude each other");
    return drawn.map(FaultRuleJson::drawn).orElseGet(() -> new Delay.Fixed(fixed.orElse(0)));
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
