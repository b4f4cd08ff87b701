package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Credential;
import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.ArmSimSettings.Access;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Look;
import io.poolkeeper.model.PoolId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signing in at a token endpoint of the simulator that is silent for a while. */
class StalledSignInIT {
  private static final PoolId POOL = new LoadBalancerId("sub-1", "rg-1", "lb-1").pool("web");

  private static ActorTestKit kit;
  private static ArmSim sim;

  private final Relay authority = new Relay(sim.endpoint().getPort());
  private final AzureArm arm = arm(authority.address());

  @BeforeAll
  static void start() {
    kit = ActorTestKit.create();
    sim =
        value(
            ArmSim.start(
                kit.system(),
                ArmSimSettings.fast(System::nanoTime, InstantSource.system())
                    .withAccess(Access.OPEN.withTls(Optional.empty()).withTokenRequired())));
  }

  @AfterAll
  static void end() {
    value(sim.close());
    kit.shutdownTestKit();
  }

  @AfterEach
  void stop() throws IOException {
    arm.close();
    authority.close();
  }

  private static AzureArm arm(URI authority) {
    Azure plain = ScriptedArm.settings(sim.endpoint());
    return AzureArm.create(
        new Azure(
            plain.subscriptionId(),
            plain.resourceGroup(),
            plain.loadBalancerResourceGroup(),
            plain.vnetId(),
            plain.loadBalancers(),
            plain.cloud(),
            plain.endpoint(),
            Optional.of(authority),
            Optional.empty(),
            sim.caCertificate(),
            new Credential.ClientSecret("tenant-1", "client-1", "hush", Optional.empty()),
            plain.apiVersion()),
        ScriptedArm.PATIENCE,
        ScriptedArm.LONGEST,
        ArmObserver.NONE,
        WriteFence.OPEN,
        ScriptedArm.CLOCKS);
  }

  private static Instant in(int seconds) {
    return ScriptedArm.CLOCKS.monotonic().instant().plusSeconds(seconds);
  }

  @Test
  void aCallThatEndsWhileItWaitsForItsTokenSaysSo_andWhatToDo() {
    ArmFailure failure = failure(arm.get(POOL, in(2)));

    assertThat(failure.kind()).isEqualTo(Kind.AUTHENTICATION);
    assertThat(failure.message()).startsWith("no token: signing in timed out; ");
    assertThat(failure.message()).contains("azure.authority-host");
  }

  @Test
  void theDoctorSaysOfEachCallThatThereIsNoToken() {
    AzureFacts facts = value(arm.look(List.of("rg-1"), List.of("/subscriptions/sub-1")));

    assertThat(facts.groups().values()).hasSize(1);
    assertThat(facts.permissions().values()).hasSize(1);
    for (Look<?> look :
        List.of(
            facts.token(),
            facts.denials(),
            facts.groups().get("rg-1"),
            facts.permissions().get("/subscriptions/sub-1"))) {
      assertThat(look)
          .isInstanceOfSatisfying(
              Look.Failed.class, failed -> assertThat(failed.why()).startsWith("no token: "));
    }
  }

  @Test
  void whoWaitsForTheTokenOfACallThatEndsGetsIt() {
    CompletionStage<PoolDocument> first = arm.get(POOL, in(2));
    authority.connected.join();
    CompletionStage<PoolDocument> second = arm.get(POOL, in(25));
    assertThat(failure(first).kind()).isEqualTo(Kind.AUTHENTICATION);

    authority.silent.countDown();

    // There is no such pool, which is an answer of ARM's.
    assertThat(failure(second).status()).isEqualTo(404);
  }

  /** Passes bytes between clients and a port of this machine, once it is no longer silent. */
  private static final class Relay implements AutoCloseable {
    private final ServerSocket listening;
    private final CountDownLatch silent = new CountDownLatch(1);
    private final CompletableFuture<Socket> connected = new CompletableFuture<>();

    Relay(int port) {
      try {
        listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Thread.ofVirtual().start(() -> accept(port));
    }

    URI address() {
      return URI.create("https://127.0.0.1:" + listening.getLocalPort());
    }

    private void accept(int port) {
      try {
        while (true) {
          Socket client = listening.accept();
          connected.complete(client);
          Thread.ofVirtual().start(() -> serve(client, port));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void serve(Socket client, int port) {
      try (client) {
        silent.await();
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
          Thread.ofVirtual().start(() -> pass(server, client));
          client.getInputStream().transferTo(server.getOutputStream());
        }
      } catch (IOException | InterruptedException closed) {
        // So is the other side.
      }
    }

    private static void pass(Socket from, Socket to) {
      try (to) {
        from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException closed) {
        // So is the other side.
      }
    }

    @Override
    public void close() throws IOException {
      silent.countDown();
      listening.close();
    }
  }
}
