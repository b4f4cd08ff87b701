package io.poolkeeper.process;

import com.typesafe.config.Config;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;

/** Starts actor systems so that a caller who is interrupted meanwhile loses nothing. */
public final class Actors {
  private Actors() {}

  /**
   * Starts a system. Pekko waits for its own parts meanwhile, and prints stack traces if that is
   * interrupted. So the system starts on another thread, and an interruption is kept for the
   * caller.
   */
  public static <T> ActorSystem<T> start(Behavior<T> root, String name, Config config) {
    // Blocks the thread that starts the system, which is no actor's.
    return CompletableFuture.supplyAsync(() -> ActorSystem.create(root, name, config)).join();
  }
}
