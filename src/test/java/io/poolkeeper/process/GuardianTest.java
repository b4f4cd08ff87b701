package io.poolkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.poolkeeper.admission.BindingWrites;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.WriteAnswer;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.lock.LeaderElection;
import io.poolkeeper.lock.LeaseAnswer;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.Leases;
import io.poolkeeper.model.Mark;
import io.poolkeeper.ops.HttpApi;
import io.poolkeeper.ops.LivenessActor;
import io.poolkeeper.trace.Tracing;
import io.poolkeeper.watch.Watches;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the root does before it stands for election, and which actors are asked if they live. */
class GuardianTest {
  private static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 8558);
  private static final String SETTINGS =
      """
      poolkeeper.mode = write
      poolkeeper.azure {
        subscription-id = s, resource-group = g, credential = none, endpoint = "http://127.0.0.1:1"
      }
      """;

  private final ActorTestKit kit = ActorTestKit.create(HttpApi.settings());
  private final AtomicLong nanos = new AtomicLong();
  private final Entropy entropy = Entropy.of(InstantSource.system(), nanos::get, nanos::get, 1);
  private final CompletableFuture<InetSocketAddress> bound = new CompletableFuture<>();
  private final CompletableFuture<ActorRef<LivenessActor.Command>> liveness =
      new CompletableFuture<>();
  private final AtomicInteger elections = new AtomicInteger();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch hangs = new CountDownLatch(1);

  /** Of a Lease that no jump of the clock lets run out: one that did would end the process. */
  private final LeaderElection wins =
      (renewed, lost) -> {
        elections.incrementAndGet();
        renewed.accept(entropy.monotonic().instant().plus(Duration.ofDays(1)));
      };

  @TempDir private Path directory;
  private Settings settings;

  @BeforeEach
  void load() throws IOException {
    Path file = Files.writeString(directory.resolve("poolkeeper.conf"), SETTINGS);
    settings = SettingsLoader.load(file, Optional.empty(), Map.of()).settings();
  }

  @AfterEach
  void stop() {
    released.countDown();
    kit.shutdownTestKit();
  }

  /** What is asked of it has no answer until the end of the test. */
  private void hang() {
    hangs.countDown();
    try {
      released.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private void start(LeaderElection election, Leases leases) {
    Clocks clocks =
        new Clocks(entropy.monotonicNanos(), entropy.monotonic(), entropy.wall(), entropy::random);
    Ports ports =
        new Ports(
            settings,
            entropy,
            event -> {},
            patch -> new CompletableFuture<>(),
            new NoBindings(),
            Optional.of(election),
            (observer, fence) ->
                AzureArm.over(
                    new DeadWire(),
                    settings.azure(),
                    settings.rateLimiter().permitDeadline(),
                    settings.maxRetryAfter(),
                    observer,
                    fence,
                    clocks),
            never -> {},
            seen -> leases,
            (materializer, receivers) -> new DeadWatches(),
            (system, status, asked, metrics, problems) -> {
              liveness.complete(asked);
              return bound;
            },
            Tracing.OFF,
            failures::add,
            ended::countDown);
    kit.spawn(Guardian.create(ports));
  }

  /** Who has not answered for half a minute, while time goes on. */
  private Set<String> hanging() {
    nanos.addAndGet(Duration.ofSeconds(31).toNanos());
    return AskPattern.ask(
            liveness.join(),
            LivenessActor.Check::new,
            Duration.ofSeconds(10),
            kit.system().scheduler())
        .toCompletableFuture()
        .join()
        .actors()
        .keySet();
  }

  @Test
  void election_beginsWhenTheHttpPortIsBound() {
    start(wins, new FreeLease(() -> {}));
    hanging();
    await().until(() -> hanging().isEmpty());
    assertThat(elections).as("all actors have handled what they were sent").hasValue(0);

    bound.complete(ADDRESS);

    await().untilAsserted(() -> assertThat(elections).hasValue(1));
  }

  @Test
  void election_portIsTaken_endsWithoutHavingStood() throws InterruptedException {
    start(wins, new FreeLease(() -> {}));

    bound.completeExceptionally(new BindException("Address already in use"));

    ended.await();
    assertThat(failures)
        .containsExactly(
            "cannot listen on 127.0.0.1:8558 (poolkeeper.http): Address already in use");
    assertThat(elections).hasValue(0);
  }

  @Test
  void liveness_dispatcherOfTheCoresHangs_answersAndNamesThem() {
    start(wins, new FreeLease(() -> {}));
    liveness.join();
    IntStream.range(0, 64).forEach(i -> kit.system().executionContext().execute(this::hang));

    await()
        .untilAsserted(
            () -> assertThat(hanging()).contains("guardian", "turnstile", "nodes", "service-map"));
  }

  @Test
  void liveness_electionHangs_namesTheLeadership() throws InterruptedException {
    start((renewed, lost) -> hang(), new FreeLease(() -> {}));
    bound.complete(ADDRESS);
    hangs.await();

    hanging();
    await().untilAsserted(() -> assertThat(hanging()).containsExactly("leadership"));
  }

  @Test
  void liveness_lockHangs_namesIt() throws InterruptedException {
    start(wins, new FreeLease(this::hang));
    bound.complete(ADDRESS);
    hangs.await();

    hanging();
    await().untilAsserted(() -> assertThat(hanging()).containsExactly("lock"));
  }

  /** Nobody holds the Lease, and it cannot be taken. */
  private record FreeLease(Runnable asked) implements Leases {
    @Override
    public CompletionStage<LeaseAnswer> read() {
      asked.run();
      return CompletableFuture.completedFuture(
          new LeaseAnswer.Is(new LeaseView(1, Optional.empty())));
    }

    @Override
    public CompletionStage<LeaseAnswer> take(LeaseView read) {
      return read();
    }

    @Override
    public CompletionStage<LeaseAnswer> giveBack(LeaseView read) {
      return read();
    }
  }

  private static final class DeadWire implements Wire {
    @Override
    public void send(Request request, Reply reply) {}

    @Override
    public Runnable later(Duration delay, Runnable what) {
      return () -> {};
    }
  }

  private static final class DeadWatches implements Watches {
    @Override
    public SequencedMap<String, String> problems() {
      return new LinkedHashMap<>();
    }

    @Override
    public CompletionStage<?> completion() {
      return new CompletableFuture<>();
    }

    @Override
    public void close() {}
  }

  /** Bindings are not followed here. */
  private static final class NoBindings implements BindingWrites {
    @Override
    public CompletionStage<WriteAnswer> write(BindingsEffect.Write write) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<Mark> mark() {
      return new CompletableFuture<>();
    }
  }
}
