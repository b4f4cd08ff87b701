package io.poolkeeper.process;

import com.typesafe.config.Config;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;

/** Starts actor systems so that a caller who is interrupted meanwhile loses nothing. */
public final class Actors {
  private Actors() {}

  /**
   * A started system; an interruption is kept for what follows. Pekko waits for its own parts while
   * it starts, and prints stack traces if that is interrupted: so it starts on another thread, and
   * {@code join}, which ends within a second, is what no interruption reaches.
   */
  public static <T> ActorSystem<T> start(Behavior<T> root, String name, Config config) {
    // Blocks the thread that starts the system, which is no actor's.
    return CompletableFuture.supplyAsync(() -> ActorSystem.create(root, name, config)).join();
  }
}
