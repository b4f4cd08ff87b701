package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.key;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.KnownNodes;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.Ownership;
import io.poolkeeper.pool.PoolEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the map's core asks for, in words. Node {@code n4} has 10.0.0.4 unless said otherwise
 * ({@code n4=10.0.0.44}); Service {@code web} is default/web; pool {@code lb-1/web} is default-web
 * of lb-1, and {@code lb-1/.blue} is blue.
 */
record MapWords(Instant now) {
  private static final String OTHER_GROUP = "other:";
  private static final Pattern POOL =
      Pattern.compile("([^\\[{*]+)(?:\\[([^]]*)])?(?:\\{([^}]*)})?(\\*?)");

  String all(List<ServiceMapEffect> effects) {
    return effects.stream().map(this::words).collect(Collectors.joining("; "));
  }

  private String words(ServiceMapEffect effect) {
    return switch (effect) {
      case ServiceMapEffect.Send send -> pool(send.pool()) + " " + words(send.event());
      case ServiceMapEffect.Forget forget -> pool(forget.pool()) + " forgotten";
      case ServiceMapEffect.RequestListing request -> "list " + request.cause();
      case ServiceMapEffect.RequestVerification look -> "look";
      case ServiceMapEffect.StartListing start ->
          "lists"
              + (start.without().isEmpty() ? "" : " without " + start.without())
              + at(start.at())
              + " until"
              + at(start.deadline());
      case ServiceMapEffect.StartVerification start ->
          "gets " + pools(start.pools()) + at(start.at()) + " until" + at(start.deadline());
      case ServiceMapEffect.ToNodes send -> words(send.event());
      case ServiceMapEffect.ToBindings send ->
          "bound: missing %s, unread %s, out %s"
              .formatted(
                  pools(send.event().missing()),
                  pools(send.event().unread().keySet()),
                  pools(send.event().optedOut()));
      case ServiceMapEffect.Emit emit ->
          "says %s of %s: %s"
              .formatted(emit.event().reason(), emit.event().about(), emit.event().message());
      case ServiceMapEffect.CloudProviderWaits waits ->
          service(waits.service()) + " waits" + at(waits.since());
    };
  }

  private static String words(NodeEvent event) {
    return switch (event) {
      case NodeEvent.PoolReported of -> pool(of.pool()) + " drained v" + of.report().version();
      case NodeEvent.Listed listed ->
          listed.unseen().entrySet().stream()
              .map(of -> " but " + pool(of.getKey()) + " " + of.getValue())
              .sorted()
              .collect(
                  Collectors.joining(
                      "",
                      shown(listed.version()),
                      listed.unread().isEmpty() ? "" : " without " + listed.unread()));
      case NodeEvent.InterfacesSeen seen -> "sees " + seen.ipConfigurations();
      default -> throw new AssertionError(event);
    };
  }

  private static String shown(long version) {
    return version < 0 ? "nothing shown" : "all shown v" + version;
  }

  private String pools(Map<PoolId, String> why) {
    Set<String> words =
        why.entrySet().stream()
            .map(entry -> pool(entry.getKey()) + ": " + entry.getValue())
            .collect(Collectors.toSet());
    return words.toString();
  }

  static String pools(Collection<PoolId> pools) {
    return pools.stream().map(MapWords::pool).sorted().toList().toString();
  }

  /** Nothing if it is now. */
  private String at(Instant time) {
    Duration since = Duration.between(now, time);
    return since.isZero() ? "" : " %+ds".formatted(since.toSeconds());
  }

  private String words(PoolEvent event) {
    return switch (event) {
      case PoolEvent.Desire desire ->
          "%s %s%s"
              .formatted(
                  words(desire.ownership()),
                  words(desire.ownership().level()),
                  desire.fresh() ? "!" : "");
      case PoolEvent.Release release -> "-" + service(release.service());
      case PoolEvent.Observed seen -> "shown " + entries(seen.view()) + at(seen.startedAt());
      case PoolEvent.NodesOutOfService nodes ->
          "nodes v" + nodes.set().version() + nodes.set().leaving().keySet() + at(nodes.at());
      case PoolEvent.OtherRecovered recovered -> "another recovered";
      case PoolEvent.WatchLost lost -> "lost #" + lost.firstUnseen();
      case PoolEvent.WatchesLive live -> "live";
      case PoolEvent.Bind bind -> bind.bound().map(this::words).orElse("unbound");
      default -> event.toString();
    };
  }

  private String words(BoundPool bound) {
    return bound.leaving().map(from -> "leaving" + at(from)).orElse("bound to ")
        + bound.service().map(MapWords::service).orElse("")
        + bound.held().map(why -> ", held by " + why).orElse("");
  }

  /** The prefix of its rules follows from the UID; it has none where something else made it. */
  private static String words(Ownership of) {
    String uid = of.uid().equals("uid-" + of.service().name()) ? "" : "(" + of.uid() + ")";
    String prefix = of.rulePrefix().map(text -> "").orElse("bound ");
    if (of.rulePrefix().filter(text -> !text.equals(PoolNames.rulePrefix(of.uid()))).isPresent()) {
      throw new AssertionError(of);
    }
    return prefix + service(of.service()) + uid + "#" + of.number();
  }

  static String words(Level level) {
    return switch (level) {
      case Level.Unknown unknown -> "[?]";
      case Level.Exactly exactly ->
          exactly.members().entrySet().stream()
                  .map(member -> node(member.getValue().name(), member.getKey()))
                  .sorted()
                  .toList()
              + (exactly.kept().isEmpty() ? "" : " keeps " + addresses(exactly.kept()))
              + exactly.keepUnknown().map(MapWords::words).orElse("");
    };
  }

  private static List<String> addresses(Set<Address> of) {
    return of.stream().map(Address::text).sorted().toList();
  }

  private static String words(KnownNodes known) {
    return " knows "
        + Stream.concat(
                known.names().stream().map(NodeKey::name),
                known.addresses().keySet().stream().map(Address::text))
            .sorted()
            .toList();
  }

  private static String node(String name, Address address) {
    String whole = name + "=" + address.text();
    return whole.equals(node(name)) ? name : whole;
  }

  /** With its address. */
  static String node(String words) {
    return words.contains("=") ? words : words + "=10.0.0." + words.substring(1);
  }

  private static String entries(PoolView view) {
    return view.entries().stream()
        .map(e -> e.address().map(address -> node(e.name(), address)).orElse(e.name()))
        .toList()
        .toString();
  }

  private static String service(ServiceKey service) {
    return service.namespace().equals("default") ? service.name() : service.toString();
  }

  static ServiceKey service(String words) {
    return key(words.contains("/") ? words : "default/" + words);
  }

  static String pool(PoolId pool) {
    String group = pool.loadBalancer().resourceGroup().equals("rg") ? "" : OTHER_GROUP;
    String name = pool.name();
    return group
        + pool.loadBalancer().name()
        + "/"
        + (name.startsWith("default-") ? name.substring("default-".length()) : "." + name);
  }

  static PoolId pool(String words) {
    boolean other = words.startsWith(OTHER_GROUP);
    String rest = other ? words.substring(OTHER_GROUP.length()) : words;
    int slash = rest.indexOf('/');
    String name = rest.substring(slash + 1);
    return new LoadBalancerId("sub", other ? "Other" : "rg", rest.substring(0, slash))
        .pool(name.startsWith(".") ? name.substring(1) : "default-" + name);
  }

  /**
   * A pool as ARM shows it: {@code lb-1/web[n4 n5]{uid-web}*}. Without entries it holds n4, without
   * rules it has that of its Service; the star says that it is being written.
   */
  static PoolView view(String words) {
    Matcher parts = POOL.matcher(words);
    if (!parts.matches()) {
      throw new IllegalArgumentException(words);
    }
    PoolId id = pool(parts.group(1));
    String own = "uid-" + id.name().replace("default-", "").replace("-ipv6", "");
    List<PoolEntry> entries =
        some(Optional.ofNullable(parts.group(2)).orElse("n4"))
            .map(entry -> node(entry).split("=", -1))
            .map(entry -> new PoolEntry(entry[0], Optional.of(Address.of(entry[1]))))
            .toList();
    Set<String> rules =
        some(Optional.ofNullable(parts.group(3)).orElse(own))
            .map(rule -> rule.startsWith("uid-") ? ServiceFixtures.rule(rule) : rule)
            .collect(Collectors.toSet());
    return new PoolView(id, "etag", !parts.group(4).isEmpty(), entries, rules, true);
  }

  private static Stream<String> some(String words) {
    return Stream.of(words.split(" ", -1)).filter(word -> !word.isEmpty());
  }
}
