package io.poolkeeper;

import com.typesafe.config.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.config.Settings;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.ServerBinding;

/** The running controller: an actor system of its own, started whole and stopped in order. */
public final class Controller {
  /**
   * What a controller is made of.
   *
   * @param pekko what the user says of Pekko's own settings
   * @param client of the API server; outlives the controller
   */
  public record Deps(Settings settings, Config pekko, KubernetesClient client, Entropy entropy) {}

  /** A part failed without which the controller cannot go on. */
  record Failed(String why) implements CoordinatedShutdown.Reason {}

  private enum Asked implements CoordinatedShutdown.Reason {
    INSTANCE
  }

  private final ActorSystem<Guardian.Command> system;
  private final CompletableFuture<ServerBinding> bound;

  private Controller(ActorSystem<Guardian.Command> system, CompletableFuture<ServerBinding> bound) {
    this.system = system;
    this.bound = bound;
  }

  /** Starts and returns at once; whether all is well is seen at {@code /readyz}. */
  public static Controller start(Deps deps) {
    CompletableFuture<ServerBinding> bound = new CompletableFuture<>();
    return new Controller(ActorSystem.create(Guardian.create(deps, bound), "poolkeeper"), bound);
  }

  /** Where the HTTP API is served. */
  public CompletionStage<InetSocketAddress> httpAddress() {
    return bound.thenApply(ServerBinding::localAddress);
  }

  /** Stops in order; what is in flight gets a few seconds. */
  public CompletionStage<Done> stop() {
    return CoordinatedShutdown.get(system).runAll(Asked.INSTANCE);
  }

  /** Completes at the end, with the reason if the controller ended by a failure. */
  public CompletionStage<Optional<String>> ended() {
    return system.getWhenTerminated().thenApply(done -> failure());
  }

  private Optional<String> failure() {
    return CoordinatedShutdown.get(system)
        .getShutdownReason()
        .filter(Failed.class::isInstance)
        .map(reason -> ((Failed) reason).why());
  }
}
