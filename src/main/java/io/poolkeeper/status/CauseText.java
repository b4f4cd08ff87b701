package io.poolkeeper.status;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.Texts;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.ratelimit.Bucket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A cause in words, as {@code causes.properties} has them.
 *
 * @param title the cause as a sentence
 * @param because the same as the end of a headline
 * @param todo what a person does now
 * @param more what else helps
 * @param until what the end of the wait is
 * @param alert the name of the alert that fires for it
 */
public record CauseText(
    String title, String because, String todo, String more, String until, String alert) {
  /** The longest time between two repairs that fail. */
  static final String REPAIR = PoolLimits.LONGEST_REPAIR.toMinutes() + " min";

  /** The maximum of nodes or load balancers that are named. */
  private static final int SOME = 3;

  private static final Properties WORDS = words();
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

  public static CauseText of(Cause cause) {
    Map<String, String> parameters = parameters(cause);
    return new CauseText(
        word(cause, "title", parameters),
        word(cause, "because", parameters),
        word(cause, "todo", parameters),
        word(cause, "more", parameters),
        word(cause, "until", parameters),
        word(cause, "alert", parameters));
  }

  private static String word(Cause cause, String part, Map<String, String> parameters) {
    String text = WORDS.getProperty(cause.key() + "." + part, "");
    return PARAMETER
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(Objects.requireNonNull(parameters.get(found.group(1)))));
  }

  /** The parameters of the words, which programs read, too. */
  static Map<String, String> parameters(Cause cause) {
    return switch (cause) {
      case Cause.Throttled of ->
          Map.of(
              "at", name(of.loadBalancer(), "all writes of the subscription"),
              "calls", name(of.loadBalancer(), "all writes"));
      case Cause.Queued of ->
          Map.of("at", name(of.loadBalancer(), "all load balancers (turnstile.max-in-flight)"));
      case Cause.LeaseHeld of -> lease(of);
      case Cause.Refused of -> refused(of.right());
      case Cause.ResourceLock of -> Map.of("lock", said(of.lock()));
      case Cause.PolicyDenies of -> Map.of("assignment", said(of.assignment()));
      case Cause.LockedGroup of -> Map.of("assignment", said(of.assignment()));
      case Cause.Failing of -> Map.of("answer", answer(of.status(), of.code()));
      case Cause.ListingFailing of ->
          Map.of("answer", answer(of.status(), of.code()), "where", where(of.groups()));
      case Cause.Contested of -> Map.of("at", of.loadBalancer().name());
      case Cause.Settling of -> Map.of("at", of.loadBalancer().name());
      case Cause.HeldByCheck of -> Map.of("why", of.why());
      case Cause.NotManaged of -> Map.of("why", of.why());
      case Cause.LeftAlone of -> Map.of("why", of.why());
      case Cause.TokensEmpty of -> Map.of("calls", calls(of.bucket()));
      case Cause.WatchLost of -> Map.of("kinds", kinds(of));
      case Cause.PreemptionsPaused of -> Map.of("nodes", names(of.nodes()));
      case Cause.PreemptionsWaiting of -> Map.of("nodes", names(of.nodes()));
      case Cause.Unreadable of ->
          Map.of(
              "at",
              some(of.loadBalancers().stream().map(LoadBalancerId::name).toList()),
              "error",
              of.why());
      case Cause.WithoutPool of -> withoutPool(of);
      case Cause.NoEndpointSlice n -> Map.of();
      case Cause.Batching b -> Map.of();
      case Cause.Writing w -> Map.of();
      case Cause.Braked b -> Map.of();
      case Cause.Paused p -> Map.of();
      case Cause.RetryBudgetEmpty r -> Map.of();
      case Cause.SignInFailing s -> Map.of();
      case Cause.AzureUnreachable a -> Map.of();
      case Cause.NodeWithoutAddress n -> Map.of();
      case Cause.NotLeading n -> Map.of();
      case Cause.NoLeader n -> Map.of();
      case Cause.Starting s -> Map.of();
      case Cause.WouldWrite w -> Map.of();
    };
  }

  private static String where(List<String> groups) {
    String of = groups.size() == 1 ? " of the resource group " : " of the resource groups ";
    return groups.isEmpty() ? "" : of + some(groups);
  }

  static String some(List<String> names) {
    String some = names.stream().limit(SOME).collect(Collectors.joining(", "));
    return names.size() <= SOME ? some : some + " and %d more".formatted(names.size() - SOME);
  }

  private static Map<String, String> refused(MissingRight right) {
    return Map.of(
        "does", right.action().endsWith("/read") ? "read" : "write",
        "at", right.scope().isEmpty() ? "load balancers" : right.name());
  }

  private static String said(String name) {
    return name.isEmpty() ? "the last error says which" : name;
  }

  private static Map<String, String> lease(Cause.LeaseHeld lease) {
    String holder = lease.holder().isEmpty() ? "is not ours yet" : "is held by " + lease.holder();
    return lease.error().isEmpty()
        ? Map.of("state", holder, "todo", "Nothing now")
        : Map.of(
            "state",
            "cannot be had: " + lease.error(),
            "todo",
            "Look whether the API server answers, and the right to get and update it");
  }

  private static Map<String, String> withoutPool(Cause.WithoutPool of) {
    String at = some(of.at().stream().map(LoadBalancerId::name).toList());
    return Map.of(
        "services",
        some(of.services().stream().map(ServiceKey::toString).toList()),
        "at",
        at,
        "where",
        at.isEmpty() ? "" : ": the cloud provider's is on " + at,
        "todo",
        at.isEmpty()
            ? "Look at their events, and compare azure.load-balancers with the names in Azure"
            : "Add the name without -internal to azure.load-balancers");
  }

  private static String name(Optional<LoadBalancerId> loadBalancer, String otherwise) {
    return loadBalancer.map(LoadBalancerId::name).orElse(otherwise);
  }

  private static String answer(int status, String code) {
    String text = (status == 0 ? "" : "HTTP " + status + " ") + code;
    return text.isBlank() ? "an error" : text.trim();
  }

  private static String calls(Bucket bucket) {
    return switch (bucket) {
      case WRITES -> "writes";
      case DRAIN_RESERVE -> "writes for leaving nodes";
      case EARLY -> "early writes";
      case READS -> "reads";
    };
  }

  private static String kinds(Cause.WatchLost lost) {
    return lost.kinds().stream()
        .sorted()
        .map(kind -> kind.replace('-', ' '))
        .collect(Collectors.joining(", "));
  }

  private static String names(List<NodeKey> nodes) {
    return some(nodes.stream().map(NodeKey::name).toList());
  }

  private static Properties words() {
    Properties words = Texts.of(CauseText.class, "causes.properties");
    words.replaceAll((key, text) -> ((String) text).replace("{repair}", REPAIR));
    return words;
  }
}
