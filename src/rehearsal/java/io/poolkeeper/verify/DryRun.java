package io.poolkeeper.verify;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.typesafe.config.ConfigFactory;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.process.Actors;
import io.poolkeeper.process.Entropy;
import io.poolkeeper.verify.azure.PlainArm;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * What a run would call: it runs against a simulator in this process, and lists what that was
 * asked. Nobody else is called.
 */
record DryRun(Verification asked) {
  private static final List<String> RIGHTS =
      List.of(
          "Microsoft.Authorization/permissions/read",
          "Microsoft.Network/loadBalancers/{read,write,delete}",
          "Microsoft.Network/loadBalancers/backendAddressPools/{read,write,delete}",
          "Microsoft.Network/locations/operations/read",
          "Microsoft.Network/locations/operationResults/read",
          "Microsoft.Network/virtualNetworks/{read,write,delete}",
          "Microsoft.Network/virtualNetworks/joinLoadBalancer/action",
          "Microsoft.Network/virtualNetworks/subnets/join/action",
          "Microsoft.Resources/subscriptions/providers/read",
          "Microsoft.Resources/subscriptions/resourceGroups/read",
          "Microsoft.Resources/subscriptions/resourceGroups/resources/read");

  List<String> lines() throws InterruptedException, TimeoutException {
    ActorSystem<Void> system =
        Actors.start(Behaviors.empty(), "verify-dry-run", ConfigFactory.load());
    try {
      Entropy entropy = Entropy.system();
      ArmSim sim =
          done(ArmSim.start(system, ArmSimSettings.fast(entropy.monotonicNanos(), entropy.wall())));
      Azure there = at(sim.endpoint());
      makeGroup(there, entropy);
      return text(
          new Verification(asked.given(), there, asked.options(), Optional.empty(), line -> {})
              .run(entropy));
    } finally {
      system.terminate();
    }
  }

  private Azure at(URI endpoint) {
    Azure from = asked.azure();
    return new Azure(
        from.subscriptionId(),
        asked.options().group(),
        asked.options().group(),
        Optional.empty(),
        List.of(),
        from.cloud(),
        Optional.of(endpoint),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new Azure.Credential.None(),
        from.apiVersion());
  }

  private static void makeGroup(Azure there, Entropy entropy) throws InterruptedException {
    try (PlainArm arm = PlainArm.connect(there, entropy.wall(), any -> {})) {
      arm.send(
          "PUT",
          Place.groupPath(there.subscriptionId(), there.resourceGroup()),
          Optional.of("2021-04-01"),
          Map.of(),
          Optional.of(JsonNodeFactory.instance.objectNode().put("location", "somewhere")));
    }
  }

  private static List<String> text(VerifyReport report) {
    List<String> lines = new ArrayList<>();
    Place place = report.place();
    lines.add("Would call, against a simulator so often; RUN is new each time:");
    lines.add("     SUB = /subscriptions/" + place.subscription());
    lines.add(
        "     NET = SUB/resourceGroups/%s/providers/Microsoft.Network".formatted(place.group()));
    Map<String, Integer> calls = new LinkedHashMap<>();
    report.recorder().all().stream()
        .map(Recorder.Recorded::exchange)
        .map(one -> one.method() + " " + decoded(one.url().replaceFirst("\\?.*", "")))
        .map(call -> call.replace("/subscriptions/" + place.subscription(), "SUB"))
        .map(
            call ->
                call.replace(
                    "SUB/resourceGroups/%s/providers/Microsoft.Network".formatted(place.group()),
                    "NET"))
        .map(call -> call.replace(place.run(), "RUN"))
        .map(call -> call.replaceFirst("(/operations|/operationResults)/[^/]+$", "$1/ID"))
        .forEach(call -> calls.merge(call, 1, Integer::sum));
    calls.forEach((call, times) -> lines.add("%4d %s".formatted(times, call)));
    lines.add("Needs these rights there, most of which the role Network Contributor has:");
    RIGHTS.forEach(right -> lines.add("     " + right));
    lines.add("Costs cents: an internal load balancer with one rule, for minutes.");
    return lines;
  }

  private static String decoded(String path) {
    return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static <T> T done(CompletionStage<T> stage)
      throws InterruptedException, TimeoutException {
    try {
      return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new IllegalStateException("no simulator", failed.getCause());
    }
  }
}
