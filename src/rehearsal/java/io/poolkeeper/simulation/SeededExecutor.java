package io.poolkeeper.simulation;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/** Hands the tasks of actors to the world of a {@link SeededSystem}. Pekko makes it by its name. */
public final class SeededExecutor extends ExecutorServiceConfigurator {
  /** By name: Pekko makes its parts from a configuration alone. */
  static final Map<String, SeededSystem> SYSTEMS = new ConcurrentHashMap<>();

  private final SeededSystem system;

  public SeededExecutor(Config config, DispatcherPrerequisites prerequisites) {
    super(config, prerequisites);
    system = system(config);
  }

  static SeededSystem system(Config config) {
    return Objects.requireNonNull(SYSTEMS.get(config.getString("world")));
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
    return () -> new Tasks(system);
  }

  /** It has no threads, and so there is nothing to shut down. */
  private static final class Tasks extends AbstractExecutorService implements ExecutorService {
    private final SeededSystem system;

    Tasks(SeededSystem system) {
      this.system = system;
    }

    @Override
    public void execute(Runnable task) {
      system.execute(task);
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
