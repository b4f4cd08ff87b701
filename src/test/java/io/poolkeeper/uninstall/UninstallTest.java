package io.poolkeeper.uninstall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.pool.InMemoryArm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UninstallTest {
  private static final Mark MARK = Mark.of("0123456789abcdef");
  private static final PoolId WEB = pool("kubernetes", "web");
  private static final PoolId BLUE = pool("gateway", "blue");
  private static final PoolId GREEN = pool("gateway", "green");
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final RandomGenerator MIDDLE = () -> Long.MIN_VALUE; // 0.5

  @TempDir private Path directory;
  private final InMemoryArm arm = new InMemoryArm();
  private final List<Duration> pauses = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private Optional<String> stopped = Optional.empty();
  private Uninstall uninstall;

  @BeforeEach
  void pools() throws IOException {
    arm.show(view(WEB, entry("n1", "10.0.0.1", AdminState.DOWN), entry("n2", "10.0.0.2")));
    arm.show(
        view(
            BLUE,
            entry("other", "10.9.0.1"),
            entry("n1" + MARK, "10.0.0.1", AdminState.DOWN),
            entry("n2", "10.0.0.2", AdminState.DOWN)));
    arm.show(view(GREEN, entry("n2", "10.0.0.2", AdminState.DOWN)));
    Path file =
        Files.writeString(
            directory.resolve("p.conf"),
            """
            poolkeeper.cluster-name = kubernetes
            poolkeeper.azure { subscription-id = s, resource-group = rg }
            """);
    Settings settings = SettingsLoader.loadForCommand(file, Optional.empty(), Map.of());
    uninstall =
        new Uninstall(
            settings,
            arm,
            arm,
            (ipConfiguration, deadline) ->
                CompletableFuture.failedFuture(
                    InMemoryArm.refusal(403, "AuthorizationFailed " + ipConfiguration)),
            () -> NOW,
            MIDDLE,
            pauses::add);
  }

  private static PoolId pool(String loadBalancer, String pool) {
    return new LoadBalancerId("s", "rg", loadBalancer).pool(pool);
  }

  private static PoolView view(PoolId pool, PoolEntry... entries) {
    return new PoolView(pool, "etag", false, List.of(entries), Set.of("rule"));
  }

  private static PoolEntry entry(String name, String address) {
    return entry(name, address, AdminState.NONE);
  }

  private static PoolEntry entry(String name, String address, AdminState state) {
    return new PoolEntry(name, Optional.of(Address.of(address)), Optional.empty(), state);
  }

  /** Both nodes, and a binding of the pool blue. */
  private ClusterTraces cluster() {
    ObjectTrace binding =
        new ObjectTrace(
            "BackendPoolBinding shop/web",
            "finalizer",
            PoolReference.parse(BLUE.path()),
            () -> done.add("binding cleaned"));
    ObjectTrace node =
        new ObjectTrace("Node n1", "annotation", Optional.empty(), () -> done.add("node cleaned"));
    return new ClusterTraces(MARK, List.of(node("n1", 1), node("n2", 2)), List.of(node, binding));
  }

  private static NodeView node(String name, int number) {
    List<Address> address = List.of(Address.of("10.0.0." + number));
    return new NodeView(new NodeKey(name), name, address, Map.of(), Set.of(), false);
  }

  private List<String> run() {
    return uninstall.run(uninstall.plan(cluster()), () -> stopped, done::add);
  }

  @Test
  void plan_namesMarkedEntries_andNodesThatAreDownWherePoolkeeperSetsThem() {
    assertThat(uninstall.plan(cluster()).lines())
        .containsExactlyInAnyOrder(
            "Pool rg/kubernetes/web: n1 (10.0.0.1): Down to None",
            "Pool rg/gateway/blue: n1" + MARK + " (10.0.0.1): removed",
            "Pool rg/gateway/blue: n2 (10.0.0.2): Down to None",
            "Node n1: annotation",
            "BackendPoolBinding shop/web: finalizer");
    assertThat(arm.puts()).isZero();
  }

  @Test
  void run_takesOutWhatIsOurs_andNothingElse() {
    assertThat(run()).isEmpty();

    assertThat(arm.view(WEB).entries())
        .containsExactly(entry("n1", "10.0.0.1"), entry("n2", "10.0.0.2"));
    assertThat(arm.view(BLUE).entries())
        .containsExactly(entry("other", "10.9.0.1"), entry("n2", "10.0.0.2"));
    assertThat(arm.view(GREEN).down()).as("of a pool that was never touched").hasSize(1);
    assertThat(done)
        .hasSize(7)
        .endsWith(
            "node cleaned",
            "Node n1: annotation",
            "binding cleaned",
            "BackendPoolBinding shop/web: finalizer");
  }

  @Test
  void run_writeThatIsRefused_isTriedAgainFromAFreshRead_asLateAsAzureAsks() {
    arm.delete(BLUE);
    arm.refusePut(InMemoryArm.refusal(412, "PreconditionFailed"));
    Instant later = NOW.plusSeconds(40);
    arm.refusePut(new ArmException(ArmFailure.throttled("TooManyRequests", "wait", later)));

    assertThat(run()).isEmpty();

    assertThat(arm.calls())
        .containsExactly("GET web", "PUT web", "GET web", "PUT web", "GET web", "PUT web");
    assertThat(pauses).containsExactly(Duration.ofMillis(750), Duration.ofSeconds(40));
  }

  @Test
  void run_poolThatMayNotBeWritten_keepsItsBinding_andTheRestGoes() {
    arm.delete(WEB);
    arm.refusePut(InMemoryArm.refusal(403, "AuthorizationFailed"));

    assertThat(run())
        .containsExactly(
            "Pool rg/gateway/blue: HTTP 403 AuthorizationFailed: no",
            "BackendPoolBinding shop/web: its pool is not clean");

    assertThat(done).containsExactly("node cleaned", "Node n1: annotation");
  }

  @Test
  void run_bindingAtALoadBalancerThatCannotBeRead_staysAndIsNamed() {
    ArmFailure why = new ArmFailure(ArmFailure.Kind.MALFORMED, 200, "", "answer: id is missing");
    Listing listing =
        Listing.of(
            "rg", List.of(new LoadBalancerView(BLUE.loadBalancer(), List.of(), Optional.of(why))));
    Plan plan =
        new Plan(cluster(), uninstall.plan(cluster()).nodes(), List.of(), listing, Map.of());

    assertThat(uninstall.run(plan, () -> stopped, done::add))
        .containsExactly("BackendPoolBinding shop/web: its pool is not clean");
    assertThat(plan.lines())
        .contains(
            "Load balancer %s: cannot be read: HTTP 200 answer: id is missing"
                .formatted(BLUE.loadBalancer().path()));
  }

  private static PoolEntry machine(String name, AdminState state) {
    Optional<String> id = Optional.of("/x/networkInterfaces/" + name + "/ipConfigurations/c");
    return new PoolEntry(name, Optional.empty(), id, state);
  }

  /** It may be of a foreign machine. Those of entries that are not Down do not matter. */
  @Test
  void plan_interfaceThatMayNotBeRead_isNamed_andTheRestGoes() {
    PoolEntry down = entry("n1", "10.0.0.1", AdminState.DOWN);
    PoolEntry foreign = machine("Foreign", AdminState.DOWN);
    arm.show(view(WEB, down, foreign, machine("other", AdminState.NONE)));

    assertThat(run()).isEmpty();

    assertThat(arm.view(WEB).down()).isEmpty();
    String id = "/x/networkinterfaces/foreign/ipconfigurations/c";
    assertThat(uninstall.plan(cluster()).lines())
        .contains(
            "Network interface %s: cannot be read: HTTP 403 AuthorizationFailed %s: no"
                .formatted(id, id))
        .noneMatch(line -> line.contains("other"));
  }

  /** Else nobody would look for its Down any more. */
  @Test
  void run_bindingOfAPoolWithAnInterfaceThatMayNotBeRead_stays() {
    arm.show(view(BLUE, machine("vm", AdminState.DOWN)));

    assertThat(run()).containsExactly("BackendPoolBinding shop/web: its pool is not clean");
  }

  @Test
  void run_poolThatIsGoneMeanwhile_isClean() {
    Plan plan = uninstall.plan(cluster());
    arm.delete(BLUE);

    assertThat(uninstall.run(plan, () -> stopped, done::add)).isEmpty();
    assertThat(done).contains("binding cleaned");
  }

  @Test
  void run_afterTheLastAttempt_givesUp() {
    arm.delete(BLUE);
    for (int i = 0; i < Uninstall.ATTEMPTS; i++) {
      arm.refusePut(InMemoryArm.refusal(409, "AnotherOperationInProgress"));
    }

    assertThat(run())
        .containsExactly("Pool rg/kubernetes/web: HTTP 409 AnotherOperationInProgress: no");

    assertThat(arm.puts()).isEqualTo(Uninstall.ATTEMPTS);
  }

  @Test
  void run_withoutTheLease_changesNothing() {
    stopped = Optional.of("the leader's lease was taken by p1");

    assertThat(run())
        .containsExactlyInAnyOrder(
            "Pool rg/kubernetes/web: the leader's lease was taken by p1",
            "Pool rg/gateway/blue: the leader's lease was taken by p1",
            "Node n1: the leader's lease was taken by p1",
            "BackendPoolBinding shop/web: its pool is not clean");
    assertThat(done).isEmpty();
    assertThat(arm.puts()).isZero();
  }

  @Test
  void plan_groupThatMayNotBeListed_fails() {
    arm.refuseListing(InMemoryArm.refusal(403, "AuthorizationFailed"));

    assertThatThrownBy(() -> uninstall.plan(cluster()))
        .isInstanceOf(ArmException.class)
        .hasMessageContaining("AuthorizationFailed");
  }

  /** The rule of a Service may be away for a moment; an outbound pool was never written. */
  @Test
  void plan_downInAPoolWithoutARule_isLifted_butNotInOneForOutboundConnections() {
    PoolEntry down = entry("n1", "10.0.0.1", AdminState.DOWN);
    PoolId outbound = pool("kubernetes", "outbound");
    arm.show(new PoolView(WEB, "", false, List.of(down), Set.of()));
    arm.show(new PoolView(outbound, "", false, List.of(down), Set.of("rule"), true, true));

    assertThat(uninstall.plan(cluster()).lines())
        .contains("Pool rg/kubernetes/web: n1 (10.0.0.1): Down to None")
        .noneMatch(line -> line.contains("outbound"));
  }

  @Test
  void plan_loadBalancerOfOurNameInAnotherGroup_isSomebodyElses() {
    PoolId theirs = new LoadBalancerId("s", "other", "kubernetes").pool("web");
    arm.show(view(theirs, entry("n1", "10.0.0.1", AdminState.DOWN)));

    assertThat(uninstall.plan(cluster()).lines()).noneMatch(line -> line.contains("other/"));
  }
}
