package io.poolkeeper.watch;

import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.Materializer;

/** The running watches of one process. */
public interface Watches extends AutoCloseable {
  @FunctionalInterface
  interface Starter {
    /** Starts them; they run under the given materializer and end with it. */
    Watches start(Materializer materializer, Receivers receivers);
  }

  /** What is wrong at the moment, for people, by the kind of the objects; empty if nothing is. */
  SequencedMap<String, String> problems();

  /**
   * Whether each is connected, by its kind as {@code poolkeeper_watch_lost} names it; besides that
   * there are {@code bindings} and {@code events}.
   */
  default Map<String, Boolean> connected() {
    return Map.of();
  }

  /** Ends when all watches have ended; fails as soon as one has failed. */
  CompletionStage<?> completion();

  /** Ends them; what is under way may still be delivered. */
  @Override
  void close();
}
