package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.ratelimit.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a pool does, in a few words for each effect. What is as it must be is left out: the number
 * of the permit, the read that is written, the last failure, a duration of nothing. A known
 * sentence for people is one word, any other is shown whole.
 *
 * @param permit the last one
 * @param read the last one
 * @param failure the last one
 */
record PoolText(long permit, PoolEvent.ReadDone read, ArmFailure failure) {
  private static final Pattern EXHAUSTED =
      Pattern.compile("Backend pool update failed after (\\d+) retries: F\\. (.*)");

  private static final Map<String, String> WORDS =
      Map.of(
          "NORMAL LoadBalancerBackendPoolUpdated Load balancer backend pool updated successfully",
          "updated",
          "WARNING LoadBalancerBackendPoolUpdateRetrying Backend pool update failed, will retry:"
              + " F.",
          "retrying",
          "WARNING LoadBalancerBackendPoolUpdateFailed Backend pool update failed (non-retriable):"
              + " F. Poolkeeper also tries again by itself.",
          "failed",
          "WARNING LoadBalancerBackendPoolUpdateFailed To retrigger, cause an endpoint change for"
              + " the Service (e.g., restart or scale a backing pod). Poolkeeper also tries again"
              + " by itself.",
          "exhausted");

  String of(PoolEffect effect) {
    return switch (effect) {
      case PoolEffect.RequestPermit request ->
          "permit " + request.priority().level() + share(request);
      case PoolEffect.CancelRequest c -> "cancel";
      case PoolEffect.ReturnPermit back ->
          "return " + (back.permit() == permit ? "" : back.permit() + " ") + back.result();
      case PoolEffect.Read one -> "read" + until(one.deadline());
      case PoolEffect.Write one -> put(one);
      case PoolEffect.Emit emit -> of(emit.event());
      case PoolEffect.Updated updated -> "count updated" + took(updated.took());
      case PoolEffect.Failed one -> "count failed" + how(one.failure(), one.took(), one.news());
      case PoolEffect.Drained one ->
          "drained "
              + PoolFixtures.text(PoolEdit.NONE.with(new TreeMap<>(one.states())))
              + took(one.took());
      case PoolEffect.DrainFailed one ->
          "drain failed" + how(one.failure(), one.took(), one.news());
      case PoolEffect.Throttled one ->
          (one.sent() ? "throttled" : "held") + (one.drain() ? " drain" : "");
      case PoolEffect.RepairFailed one ->
          "repair failed" + how(one.failure(), one.took(), one.news());
      case PoolEffect.RepairPostponed one ->
          "postponed %d %d%s"
              .formatted(one.drifts(), one.delay().toSeconds(), one.news() ? " news" : "");
      case PoolEffect.RepairsSlowest one -> "slowest " + one.failures();
      case PoolEffect.Retry one -> "retry " + one.reason();
      case PoolEffect.LeaveAlone one -> "alone: " + one.why();
      case PoolEffect.Requeue one ->
          "requeue " + one.operations() + how(one.failure(), one.took(), one.news());
      case PoolEffect.Found one -> "found " + one.kind() + " " + one.entries();
      case PoolEffect.Braked b -> "braked";
      case PoolEffect.Shadowed one -> "would put " + PoolFixtures.text(one.edit());
      case PoolEffect.Report one -> of(one.report());
      case PoolEffect.Followed one -> of(one.report());
    };
  }

  private String put(PoolEffect.Write one) {
    String other = one.read().equals(read.document()) ? "" : "of another read ";
    return "put " + other + PoolFixtures.text(one.edit()) + until(one.deadline());
  }

  private static String until(Instant deadline) {
    return deadline.equals(Instant.MAX) ? "" : " until " + deadline;
  }

  private static String share(PoolEffect.RequestPermit request) {
    return request.priority().share().equals(Share.NONE)
        ? ""
        : " %d/%d".formatted(request.priority().share().part(), request.priority().share().whole());
  }

  private static String took(Duration took) {
    return took.isZero() ? "" : " " + took;
  }

  private String how(ArmFailure of, Duration took, boolean news) {
    return (of.equals(failure) ? "" : " " + of) + took(took) + (news ? "" : " again");
  }

  private String of(ObjectEvent event) {
    String message = event.message().replace(": " + failure + ".", ": F.");
    Matcher exhausted = EXHAUSTED.matcher(message);
    boolean after = exhausted.matches();
    String key = event.type() + " " + event.reason() + " " + (after ? exhausted.group(2) : message);
    return about(event.about())
        + " "
        + WORDS.getOrDefault(key, key)
        + (after ? " " + exhausted.group(1) : "");
  }

  private static String about(ObjectReference about) {
    return about.kind().equals("Service") && about.uid().equals("uid-" + about.name())
        ? about.name()
        : about.toString();
  }

  private static String of(PoolReport report) {
    return report.name().toLowerCase(Locale.ROOT).replace("_wanted", "").replace('_', ' ');
  }

  private String of(AdminReport admin) {
    return "report "
        + admin.version()
        + nodes(" pending ", admin.pending())
        + nodes(" held ", admin.held())
        + admin.failure().map(one -> " failed" + how(one, Duration.ZERO, true)).orElse("");
  }

  private static String nodes(String what, Collection<NodeKey> nodes) {
    return Optional.of(nodes)
        .filter(some -> !some.isEmpty())
        .map(some -> some.stream().map(NodeKey::name).sorted().collect(Collectors.joining(",")))
        .map(what::concat)
        .orElse("");
  }
}
