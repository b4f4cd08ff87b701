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
  public static Map<String, String> parameters(Cause cause) {
    return switch (cause) {
      case Cause.Throttled throttled ->
          Map.of(
              "at", name(throttled.loadBalancer(), "all writes of the subscription"),
              "calls", name(throttled.loadBalancer(), "all writes"));
      case Cause.Queued queued ->
          Map.of("at", name(queued.loadBalancer(), "all load balancers (turnstile.max-in-flight)"));
      case Cause.LeaseHeld lease -> lease(lease);
      case Cause.Refused refused -> refused(refused.right());
      case Cause.ResourceLock locked -> Map.of("lock", nameOrHint(locked.lock()));
      case Cause.PolicyDenies denies -> Map.of("assignment", nameOrHint(denies.assignment()));
      case Cause.LockedGroup locked -> Map.of("assignment", nameOrHint(locked.assignment()));
      case Cause.Failing failing -> Map.of("answer", answer(failing.status(), failing.code()));
      case Cause.ListingFailing failing ->
          Map.of(
              "answer", answer(failing.status(), failing.code()), "where", where(failing.groups()));
      case Cause.Contested contested -> Map.of("at", contested.loadBalancer().name());
      case Cause.Settling settling -> Map.of("at", settling.loadBalancer().name());
      case Cause.HeldByCheck held -> Map.of("why", held.why());
      case Cause.NotManaged pool -> Map.of("why", pool.why());
      case Cause.LeftAlone pool -> Map.of("why", pool.why());
      case Cause.TokensEmpty tokens -> Map.of("calls", calls(tokens.bucket()));
      case Cause.WatchLost lost -> Map.of("kinds", kinds(lost));
      case Cause.PreemptionsPaused paused -> Map.of("nodes", names(paused.nodes()));
      case Cause.PreemptionsWaiting waiting -> Map.of("nodes", names(waiting.nodes()));
      case Cause.Unreadable unreadable ->
          Map.of(
              "at",
              firstOf(unreadable.loadBalancers().stream().map(LoadBalancerId::name).toList()),
              "error",
              unreadable.why());
      case Cause.WithoutPool without -> withoutPool(without);
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
    String where = groups.size() == 1 ? " of the resource group " : " of the resource groups ";
    return groups.isEmpty() ? "" : where + firstOf(groups);
  }

  /** The first {@value #SOME} names, and how many more there are. */
  static String firstOf(List<String> names) {
    String some = names.stream().limit(SOME).collect(Collectors.joining(", "));
    return names.size() <= SOME ? some : some + " and %d more".formatted(names.size() - SOME);
  }

  private static Map<String, String> refused(MissingRight right) {
    return Map.of(
        "does", right.action().endsWith("/read") ? "read" : "write",
        "at", right.scope().isEmpty() ? "load balancers" : right.name());
  }

  private static String nameOrHint(String name) {
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

  private static Map<String, String> withoutPool(Cause.WithoutPool cause) {
    String at = firstOf(cause.at().stream().map(LoadBalancerId::name).toList());
    return Map.of(
        "services",
        firstOf(cause.services().stream().map(ServiceKey::toString).toList()),
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
    return firstOf(nodes.stream().map(NodeKey::name).toList());
  }

  private static Properties words() {
    Properties words = Texts.of(CauseText.class, "causes.properties");
    words.replaceAll((key, text) -> ((String) text).replace("{repair}", REPAIR));
    return words;
  }
}
