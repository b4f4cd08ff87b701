package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure.Credential;
import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.ArmSimSettings.Access;
import io.poolkeeper.kube.CuttableProxy;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Look;
import io.poolkeeper.model.PoolId;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
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

  private final CuttableProxy authority = new CuttableProxy(sim.endpoint().getPort());
  private final AzureArm arm;

  StalledSignInIT() throws IOException {
    authority.holdNew();
    arm = arm(URI.create("https://127.0.0.1:" + authority.port()));
  }

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
    return AzureArm.create(
        ScriptedArm.settings(
            sim.endpoint(),
            Optional.of(authority),
            sim.caCertificate(),
            new Credential.ClientSecret("tenant-1", "client-1", "hush", Optional.empty())),
        ScriptedArm.PATIENCE,
        ScriptedArm.LONGEST,
        ArmObserver.NONE,
        WriteFence.OPEN,
        ScriptedArm.CLOCKS,
        Optional.empty());
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
    await().until(() -> authority.accepted() > 0);
    CompletionStage<PoolDocument> second = arm.get(POOL, in(25));
    assertThat(failure(first).kind()).isEqualTo(Kind.AUTHENTICATION);

    authority.release();

    // There is no such pool, which is an answer of ARM's.
    assertThat(failure(second).status()).isEqualTo(404);
  }
}
