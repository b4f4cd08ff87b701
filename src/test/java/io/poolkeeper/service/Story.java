package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.listing;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolReport;
import io.poolkeeper.service.ServiceMapEvent.CacheSynced;
import io.poolkeeper.service.ServiceMapEvent.NamespacesChanged;
import io.poolkeeper.service.ServiceMapEvent.NodesOutOfService;
import io.poolkeeper.service.ServiceMapEvent.PoolBound;
import io.poolkeeper.service.ServiceMapEvent.PoolReported;
import io.poolkeeper.service.ServiceMapEvent.ServicesChanged;
import io.poolkeeper.service.ServiceMapEvent.SlicesChanged;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plays what happens to the map, a line each, and compares what it asks for, in the words of {@link
 * MapWords}. {@code event -> effects} are all of them in order, {@code event ~> some} are some that
 * follow each other; without an arrow it is not looked at.
 */
final class Story {
  private static final Mark MARK = new Mark(".pk-0123456789abcdef");

  final ServiceMapDriver map;

  Story() {
    this(new ServiceMapDriver());
  }

  Story(ServiceMapDriver map) {
    this.map = map;
  }

  Story plays(String lines) {
    lines.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(this::line);
    return this;
  }

  private void line(String line) {
    int arrow = Math.max(line.indexOf("->"), line.indexOf("~>"));
    String told = told(arrow < 0 ? line : line.substring(0, arrow).strip());
    String expected = arrow < 0 ? told : line.substring(arrow + 2).strip();
    if (arrow >= 0 && line.charAt(arrow) == '~') {
      assertThat(told).as(line).contains(expected);
    } else {
      assertThat(told).as(line).isEqualTo(expected);
    }
  }

  /** All that comes of an event. */
  String told(String event) {
    String[] words = event.split(" +", -1);
    String[] rest = Arrays.copyOfRange(words, 1, words.length);
    List<ServiceMapEffect> effects =
        switch (words[0]) {
          case "wakes" -> wakes(rest);
          case "after" -> after(rest[0]);
          case "due" -> due(rest);
          case "out" -> out(rest);
          case "failure" -> failure(rest[0]);
          case "all" -> allSynced();
          case "list" -> list(rest);
          case "start" -> start();
          case "failed" -> map.listed(ServiceFixtures.UNLISTED);
          case "listed" -> map.listed(listing(views(rest)));
          case "looked" -> looked(views(rest));
          case "pass" -> pass(rest);
          default -> map.send(event(words[0], rest));
        };
    return new MapWords(map.now()).all(effects);
  }

  private ServiceMapEvent event(String what, String... of) {
    return switch (what) {
      case "node" -> new ServiceMapEvent.NodesChanged(ServiceFixtures.nodes(nodes(of)));
      case "nonode" -> new ServiceMapEvent.NodesChanged(ServiceFixtures.nodeGone(of[0]));
      case "slice" ->
          new SlicesChanged(
              ServiceFixtures.slices(
                  slice(of[0], MapWords.service(of[1]).toString(), from(2, of))));
      case "noslice" -> new SlicesChanged(ServiceFixtures.sliceGone(of[0]));
      case "local", "cluster", "internal", "plain" ->
          new ServicesChanged(ServiceFixtures.services(service(what, of)));
      case "gone" -> new ServicesChanged(Map.of(MapWords.service(of[0]), Optional.empty()));
      case "label" -> new NamespacesChanged(Map.of("default", Optional.of(labelled(of[0]))));
      case "unlabel" -> new NamespacesChanged(Map.of("default", Optional.empty()));
      case "synced" -> new CacheSynced(CacheKind.valueOf(of[0]));
      case "lost" -> new ServiceMapEvent.WatchLost(CacheKind.valueOf(of[0]));
      case "lead" -> new ServiceMapEvent.Lead();
      case "crash" -> new ServiceMapEvent.PoolCrashed(MapWords.pool(of[0]));
      case "report" -> new PoolReported(MapWords.pool(of[0]), PoolReport.valueOf(of[1]));
      case "wrote" -> new ServiceMapEvent.CloudProviderWrote(MapWords.service(of[0]));
      case "waits" -> new ServiceMapEvent.CloudProviderWaits(MapWords.service(of[0]), map.now());
      case "nodes" -> new NodesOutOfService(out(Long.parseLong(of[0]), true, from(1, of)));
      case "oldnodes" -> new NodesOutOfService(out(Long.parseLong(of[0]), false, from(1, of)));
      case "bind" -> bind(of[0], of[1], Optional.of(of).filter(o -> o.length > 2).map(o -> o[2]));
      case "leave" -> leave(MapWords.pool(of[0]));
      case "unbind" -> new PoolBound(MapWords.pool(of[0]), Optional.empty());
      case "stop" -> new ServiceMapEvent.Stop();
      case "timer" -> new ServiceMapEvent.TimerDue();
      case "granted" -> new ServiceMapEvent.ListingGranted();
      case "lookgranted" -> new ServiceMapEvent.VerificationGranted();
      case "lookfailed" -> new ServiceMapEvent.VerificationFailed();
      case "shown" -> new ServiceMapEvent.PoolShown(MapWords.view(of[0]), map.now());
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static String[] from(int start, String... words) {
    return Arrays.copyOfRange(words, start, words.length);
  }

  private static NodeView[] nodes(String... words) {
    return Arrays.stream(words).map(word -> node(MapWords.node(word))).toArray(NodeView[]::new);
  }

  private static PoolView[] views(String... words) {
    return Arrays.stream(String.join(" ", words).split(" (?![^\\[{]*[]}])", -1))
        .filter(word -> !word.isEmpty())
        .map(MapWords::view)
        .toArray(PoolView[]::new);
  }

  /** {@code local web uid=u ip=46 manage=false address=1 digest=2}. */
  static ServiceView service(String kind, String... words) {
    Map<String, String> more = new HashMap<>();
    for (String word : from(1, words)) {
      int equals = word.indexOf('=');
      more.put(word.substring(0, equals), word.substring(equals + 1));
    }
    Set<IpFamily> families =
        switch (more.getOrDefault("ip", "4")) {
          case "4" -> Set.of(IpFamily.IPV4);
          case "6" -> Set.of(IpFamily.IPV6);
          default -> Set.of(IpFamily.IPV4, IpFamily.IPV6);
        };
    var key = MapWords.service(words[0]);
    Optional<String> manage = Optional.ofNullable(more.get("manage"));
    return new ServiceView(
        key,
        more.getOrDefault("uid", "uid-" + key.name()),
        !kind.equals("plain"),
        kind.equals("local") || kind.equals("internal"),
        kind.equals("internal"),
        families,
        new Manage(manage),
        more.containsKey("address"),
        Long.parseLong(more.getOrDefault("digest", "1")) + manage.map(String::hashCode).orElse(0));
  }

  private static NamespaceView labelled(String word) {
    return new NamespaceView("default", "uid-ns", new Manage(Optional.of(word)));
  }

  /** These leave, {@code n4=uid} under another UID; that n4 has its address is known. */
  static OutOfService out(long version, boolean live, String... nodes) {
    NavigableMap<NodeKey, Leaving> out = new TreeMap<>();
    for (String node : nodes) {
      String[] of = node.split("=", 2);
      String uid = of.length > 1 ? of[1] : "uid-" + node;
      out.put(new NodeKey(of[0]), new Leaving(uid, Set.of(Reason.SHUTDOWN), Instant.EPOCH));
    }
    ClusterNodes all =
        new ClusterNodes(Map.of(Address.of("10.0.0.4"), new NodeKey("n4")), Map.of(), Map.of());
    return new OutOfService(version, all, out, live, 0);
  }

  private static ServiceMapEvent bind(String pool, String service, Optional<String> held) {
    PoolId id = MapWords.pool(pool);
    return new PoolBound(
        id, Optional.of(BoundPool.of(id, MARK, MapWords.service(service), IpFamily.IPV4, held)));
  }

  private ServiceMapEvent leave(PoolId pool) {
    return new PoolBound(pool, Optional.of(BoundPool.leaving(pool, MARK, "default", map.now())));
  }

  private static Duration time(String word) {
    return Duration.parse("PT" + word);
  }

  private List<ServiceMapEffect> after(String time) {
    map.after(time(time));
    return List.of();
  }

  private Duration wake() {
    return Duration.between(map.now(), map.state().wakeAt().orElseThrow());
  }

  private List<ServiceMapEffect> wakes(String... in) {
    if (in[0].equals("never")) {
      assertThat(map.state().wakeAt()).isEmpty();
    } else {
      assertThat(wake()).isEqualTo(time(in[0]));
    }
    return List.of();
  }

  /** The timer fires when it is due, which is in so long, if that is said. */
  private List<ServiceMapEffect> due(String... in) {
    Duration wait = wake();
    if (in.length > 0) {
      assertThat(wait).isEqualTo(time(in[0]));
    }
    return map.after(wait.isNegative() ? Duration.ZERO : wait).send(new ServiceMapEvent.TimerDue());
  }

  /** What the observer hears of pools that are not touched. */
  private List<ServiceMapEffect> out(String... pools) {
    assertThat(MapWords.pools(map.state().index().orElseThrow().out().keySet()))
        .isEqualTo(Arrays.stream(pools).sorted().toList().toString());
    return List.of();
  }

  /** What it hears of the last listing. */
  private List<ServiceMapEffect> failure(String status) {
    assertThat(map.state().schedule().unread().failures().values())
        .extracting(why -> "" + why.status())
        .isEqualTo(status.equals("none") ? List.of() : List.of(status));
    return List.of();
  }

  private List<ServiceMapEffect> allSynced() {
    map.sync(CacheKind.values());
    return List.of();
  }

  private List<ServiceMapEffect> start() {
    map.startListing();
    return List.of();
  }

  /** When the next listing is due it begins, and ends at once. */
  private List<ServiceMapEffect> list(String... pools) {
    map.startListing();
    return map.listed(listing(views(pools)));
  }

  /** The GETs show these and end. */
  private List<ServiceMapEffect> looked(PoolView... views) {
    List<ServiceMapEffect> effects = new ArrayList<>();
    for (PoolView view : views) {
      effects.addAll(map.send(new ServiceMapEvent.PoolShown(view, map.now())));
    }
    effects.addAll(map.send(new ServiceMapEvent.Verified(List.of(views))));
    return effects;
  }

  /** The distances of the next listings, each of which shows these pools. */
  private List<ServiceMapEffect> pass(String... words) {
    for (String distance : words[0].split(",", -1)) {
      assertThat(wake()).as("%s of %s", distance, words[0]).isEqualTo(time(distance + "s"));
      list(from(1, words));
    }
    return List.of();
  }
}
