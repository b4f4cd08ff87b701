package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.console.DoctorText;
import io.poolkeeper.doctor.Doctor;
import io.poolkeeper.doctor.Examination;
import io.poolkeeper.doctor.Known;
import io.poolkeeper.kube.KubeInspection;
import io.poolkeeper.ops.ApiJson;
import io.poolkeeper.ops.DoctorJson;
import io.poolkeeper.process.Entropy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    description = {
      "Tests token, rights, networks, Leases, clocks and quota; says how to mend what fails.",
      "Asks the replica that leads; with --config it tests from here, by your identity.",
      "Exit code 1: a check fails."
    },
    footer = {"", "Example:", "  poolkeeper doctor --config my.conf"})
final class DoctorCommand extends LeaderCommand {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Tests from here, with this configuration (HOCON).")
  private @Nullable Path config;

  DoctorCommand(Map<String, String> env) {
    super(env);
  }

  @Override
  public Integer call() {
    JsonNode found = config == null ? asked() : fromHere(config);
    output.print(out(), found, new DoctorText(ink())::lines);
    boolean fails = found.path("findings").findValuesAsText("verdict").contains("fail");
    return fails ? spec().exitCodeOnExecutionException() : 0;
  }

  private JsonNode asked() {
    try (Leader asked = leaderOptions.connect()) {
      return asked.json("/api/v1/doctor");
    }
  }

  private JsonNode fromHere(Path file) {
    Settings settings = SettingsLoader.loadForCommand(file, Optional.empty(), env);
    Entropy entropy = Entropy.system();
    Quota quota = new Quota();
    Clocks clocks =
        new Clocks(entropy.monotonicNanos(), entropy.monotonic(), entropy.wall(), entropy::random);
    try (KubernetesClient client = leaderOptions.cluster().client();
        KubeInspection cluster = new KubeInspection(client, entropy.wall());
        AzureArm azure =
            AzureArm.create(
                settings.azure(),
                settings.rateLimiter().permitDeadline(),
                settings.maxRetryAfter(),
                quota,
                WriteFence.OPEN,
                clocks,
                Optional.empty())) {
      String namespace =
          settings.election().namespace().orElse(leaderOptions.cluster().namespace());
      Doctor doctor = new Doctor(settings, namespace, azure, cluster, entropy.wall());
      CompletionStage<Examination> examination =
          doctor.examine(() -> new Known(quota.left(), Optional.empty()));
      Examination found = examination.toCompletableFuture().join(); // this thread may wait
      return PrintableText.of(
          ApiJson.tree(DoctorJson.of(found, "this machine", settings.shadow())));
    }
  }

  /** Keeps what Azure says is left of the quota. */
  private static final class Quota implements ArmObserver {
    private final AtomicReference<CallsLeft> left = new AtomicReference<>(CallsLeft.UNKNOWN);

    CallsLeft left() {
      return left.get();
    }

    @Override
    public void answered(String call, int status, Duration took) {
      // Nobody counts here.
    }

    @Override
    public void left(CallsLeft calls) {
      left.updateAndGet(before -> before.and(calls));
    }
  }
}
