package io.poolkeeper.simulation;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.poolkeeper.actor.Cores;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * An actor system whose default dispatcher and scheduler are those of a {@link VirtualTime}, one
 * world after the other. It belongs to the thread that made it. A process of a seed is a child of
 * its root, so that the system itself starts once.
 */
final class SeededSystem implements AutoCloseable {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Thread thread = Thread.currentThread();
  private final Queue<Runnable> foreign = new ConcurrentLinkedQueue<>();
  private final ActorSystem<Consumer<ActorContext<?>>> system;
  private final String name;

  /** What the processes are made of. */
  final Parts parts;

  private int spawned;
  private VirtualTime world = new VirtualTime(new Chance(0), 0);

  /** For the program as it is. */
  SeededSystem() {
    this(Parts.PLAIN);
  }

  SeededSystem(Parts parts) {
    this.parts = parts;
    name = "simulation-" + NUMBERS.incrementAndGet();
    SeededExecutor.SYSTEMS.put(name, this);
    CountDownLatch started = new CountDownLatch(1);
    Behavior<Consumer<ActorContext<?>>> root =
        Behaviors.setup(
            context -> {
              started.countDown();
              return Behaviors.receiveMessage(
                  task -> {
                    task.accept(context);
                    return Behaviors.same();
                  });
            });
    Config config =
        ConfigFactory.parseString(settings(name))
            .withFallback(ConfigFactory.load(SeededSystem.class.getClassLoader()));
    // Its own loader, so that a program loaded beside this one gets an executor of its own.
    ClassLoader loader = SeededSystem.class.getClassLoader();
    BootstrapSetup bootstrap = BootstrapSetup.create(config).withClassloader(loader);
    Cores cores = new Cores(parts::core);
    system = ActorSystem.create(root, name, ActorSystemSetup.create(bootstrap, cores));
    while (started.getCount() > 0) {
      foreign();
      world.drain();
      Thread.onSpinWait();
    }
  }

  /** The logger and Pekko's own actors keep real threads: the start waits for them. */
  private static String settings(String name) {
    return """
    probes-dispatcher = "pekko.actor.default-dispatcher"
    pekko {
      actor.default-dispatcher {
        type = Dispatcher, executor = "%s", throughput = 1, world = "%s"
      }
      actor.internal-dispatcher { type = Dispatcher, executor = fork-join-executor }
      scheduler { implementation = "%s", world = "%s" }
      loggers = ["org.apache.pekko.event.Logging$DefaultLogger"]
      loggers-dispatcher = "pekko.actor.internal-dispatcher"
      logger-startup-timeout = 30s, use-slf4j = off, loglevel = OFF, stdout-loglevel = OFF
      log-dead-letters = off, log-dead-letters-during-shutdown = off
      coordinated-shutdown.run-by-jvm-shutdown-hook = off
    }
    """
        .formatted(SeededExecutor.class.getName(), name, VirtualScheduler.class.getName(), name);
  }

  /** From now on the time and order are those of another world. */
  void enter(VirtualTime next) {
    foreign();
    world.drain();
    world = next;
  }

  /** Runs a task of an actor, or of Pekko itself while the system starts or ends. */
  void execute(Runnable task) {
    if (isOwnThread()) {
      world.ready(task);
    } else {
      foreign.add(task);
    }
  }

  boolean isOwnThread() {
    return Thread.currentThread().equals(thread);
  }

  VirtualTime world() {
    return world;
  }

  private void foreign() {
    for (Runnable task = foreign.poll(); task != null; task = foreign.poll()) {
      task.run();
    }
  }

  /** Makes a child of the root. */
  <T> ActorRef<T> spawn(Behavior<T> behavior) {
    return inRoot(context -> context.spawn(behavior, "process-" + ++spawned));
  }

  /** Stops a child of the root, and delivers what it sends while it stops. */
  void stop(ActorRef<?> child) {
    inRoot(
        context -> {
          context.stop(child);
          return child;
        });
    world.drain();
  }

  /** Asks an actor, which has to answer before time moves on. */
  <Q, A> A ask(ActorRef<Q> actor, Function<ActorRef<A>, Q> question) {
    var answer =
        AskPattern.<Q, A>ask(actor, question::apply, Duration.ofMinutes(1), system.scheduler())
            .toCompletableFuture();
    world.drain();
    return Objects.requireNonNull(answer.getNow(null), "an actor has not answered");
  }

  private <T> T inRoot(Function<ActorContext<?>, T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    system.tell(
        context -> {
          try {
            result.complete(task.apply(context));
          } catch (RuntimeException failed) {
            result.completeExceptionally(failed);
          }
        });
    world.drain();
    return Objects.requireNonNull(result.getNow(null), "the root has not run");
  }

  @Override
  public void close() {
    SeededExecutor.SYSTEMS.remove(name);
    enter(new VirtualTime(new Chance(0), 0));
    system.terminate();
    while (!system.getWhenTerminated().toCompletableFuture().isDone()) {
      foreign();
      world.drain();
      world.runUntil(world.now().plusMillis(1), () -> {});
      Thread.onSpinWait();
    }
  }
}
