package io.poolkeeper.integration;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.Configuration;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.ArmSimSettings.Access;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The ARM simulator with https and required tokens: as similar to Azure as possible for a client.
 */
public final class GuardedArm implements AutoCloseable {
  private final ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "guarded-arm");
  private final ArmSim sim =
      done(
          ArmSim.start(
              system,
              ArmSimSettings.fast(System::nanoTime, InstantSource.system())
                  .withPageSize(2)
                  .withAccess(Access.OPEN.withTls(Optional.empty()).withTokenRequired())));

  public ArmSim sim() {
    return sim;
  }

  public URI endpoint() {
    return sim.endpoint();
  }

  public Path ca() {
    return sim.caCertificate().orElseThrow();
  }

  /** A stock client that trusts only the simulator's authority. */
  HttpClient client() throws SSLException {
    return client(ca());
  }

  static HttpClient client(Path ca) throws SSLException {
    SslContext trusting = SslContextBuilder.forClient().trustManager(ca.toFile()).build();
    return new NettyAsyncHttpClientBuilder(
            reactor.netty.http.client.HttpClient.create().secure(spec -> spec.sslContext(trusting)))
        .configuration(Configuration.NONE)
        .build();
  }

  static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    done(sim.close());
    system.terminate();
    done(system.getWhenTerminated());
  }
}
