package io.poolkeeper.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.config.Settings;
import io.poolkeeper.ops.HttpApi;
import io.poolkeeper.ops.LivenessActor;
import io.poolkeeper.ops.Metrics;
import io.poolkeeper.ops.Moment;
import io.poolkeeper.ops.StatusActor;
import io.poolkeeper.page.Browser;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.process.Entropy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The page with 5,000 pools. Bounds are asserted; times depend on the machine and are written to
 * {@code target/screens/5000-pools.txt}.
 */
@Tag("browser")
class ManyPoolsIT {
  private static final int POOLS = 5_000;
  private static final String TIMES =
      """
      const navigation = performance.getEntriesByType('navigation')[0];
      return [navigation.domComplete, performance.now()];
      """;

  /** From the input of a filter to the frame after it. */
  private static final String FILTER =
      """
      const done = arguments[arguments.length - 1], find = document.getElementById('find');
      const start = performance.now();
      find.value = 'p4711';
      find.dispatchEvent(new Event('input', {bubbles: true}));
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
      """;

  private final InstantSource clock = Entropy.system().monotonic();
  private final ActorTestKit kit = ActorTestKit.create();
  private final Metrics metrics =
      new Metrics(AdmissionLimits.SHIPPED, List.of(), () -> Instant.EPOCH);
  private final ActorRef<StatusActor.Command> status =
      kit.spawn(StatusActor.create(false, clock, metrics::propagated, () -> CallsLeft.UNKNOWN));
  private final List<String> figures = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    kit.shutdownTestKit();
    metrics.close();
    Files.createDirectories(Path.of("target", "screens"));
    Files.write(Path.of("target", "screens", "5000-pools.txt"), figures);
  }

  private static String name(int i) {
    return "p%04d".formatted(i);
  }

  private URI serve() {
    ActorRef<LivenessActor.Command> liveness =
        kit.createTestProbe(LivenessActor.Command.class).getRef();
    HttpApi api =
        new HttpApi(
            kit.system(),
            status,
            liveness,
            metrics,
            new Moment.Source(Pools.SELF, Optional::empty, LinkedHashMap::new, clock),
            List.of(),
            known -> new CompletableFuture<>(),
            (token, area) -> new CompletableFuture<>());
    InetSocketAddress at =
        api.bind(Settings.Http.open("127.0.0.1", 0), Optional.empty()).toCompletableFuture().join();
    return URI.create("http://127.0.0.1:%d/".formatted(at.getPort()));
  }

  private static long cpuMillis() {
    long nanos = 0;
    for (long thread : ManagementFactory.getThreadMXBean().getAllThreadIds()) {
      nanos += Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread));
    }
    return nanos / 1_000_000;
  }

  @Test
  void page_with5000Pools_keepsFewElements_andShowsEachChange() {
    for (int i = 0; i < POOLS; i++) {
      status.tell(new StatusActor.PoolChanged(Pools.pool(name(i), State.IDLE)));
    }
    status.tell(new StatusActor.KnowledgeChanged(Pools.KNOWN));
    URI page = serve();
    try (Browser browser = new Browser()) {
      browser.open(page);
      browser.awaitHeadline("All 5,000 pools are in sync.");
      List<?> times = (List<?>) browser.run(TIMES);
      figures.add("page complete after %s ms, read after %s ms".formatted(times.toArray()));

      long before = cpuMillis();
      for (int second = 0; second < 5; second++) {
        int from = 10 * second;
        for (int i = from; i < from + 10; i++) {
          status.tell(new StatusActor.PoolChanged(Pools.pool(name(i), State.PARKED)));
        }
        browser.awaitHeadline("%d of 5,000 pools are behind".formatted(from + 10));
      }
      figures.add("server: %d ms of CPU for 50 changes in 5 steps".formatted(cpuMillis() - before));

      assertThat(browser.all("#list .row").size()).isLessThan(80);
      assertThat((Long) browser.run("return document.querySelectorAll('*').length"))
          .isLessThan(1_500);
      figures.add("filter: %s ms".formatted(browser.runAsync(FILTER)));
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(
              () -> assertThat(browser.one("#shown").getText()).isEqualTo("1 of 5,000 pools"));
      browser.screen("5000-pools");
      browser.assertQuiet();
    }
  }
}
