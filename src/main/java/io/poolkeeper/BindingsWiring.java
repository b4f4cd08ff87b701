package io.poolkeeper;

import io.poolkeeper.admission.AdmissionChecks;
import io.poolkeeper.admission.BindingsActor;
import io.poolkeeper.admission.BindingsCore;
import io.poolkeeper.admission.BindingsDeps;
import io.poolkeeper.admission.BindingsObserver;
import io.poolkeeper.admission.Resolution;
import io.poolkeeper.admission.WriteAnswer;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.service.PoolNames;
import io.poolkeeper.service.ServiceMapActor;
import io.poolkeeper.service.ServiceMapEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires the bindings to the map of Services and to their port. */
record BindingsWiring(Ports ports, BindingsObserver observer, BooleanSupplier mayWrite) {
  /** Whether bindings are followed at all. */
  static boolean enabled(Settings settings) {
    return settings.admission().enabled() && settings.updater().enabled();
  }

  /** Whether checks may hold any pool: then no pool is written before it is known which. */
  static boolean awaited(Settings settings) {
    Settings.Admission admission = settings.admission();
    return enabled(settings) && admission.mirror() && !admission.checks().isEmpty();
  }

  Behavior<BindingsActor.Command> behavior(CompletionStage<ActorRef<ServiceMapActor.Command>> map) {
    Consumer<ServiceMapEvent> send =
        event -> map.thenAccept(to -> to.tell(new ServiceMapActor.Event(event)));
    return BindingsActor.create(
        new BindingsDeps(
            core(ports.settings()),
            ports.election().isEmpty(),
            write ->
                mayWrite.getAsBoolean()
                    ? ports.bindings().write(write)
                    : CompletableFuture.completedFuture(
                        new WriteAnswer.Failed("this replica does not lead")),
            bindings -> send.accept(new ServiceMapEvent.BindingsChanged(bindings)),
            () -> send.accept(new ServiceMapEvent.Lead()),
            observer,
            ports.entropy().monotonic(),
            ports.entropy().random()));
  }

  private static BindingsCore core(Settings settings) {
    Settings.Azure azure = settings.azure();
    Settings.Admission admission = settings.admission();
    String subscription = azure.subscriptionId();
    return new BindingsCore(
        new Resolution(
            subscription,
            azure.loadBalancerResourceGroup(),
            AllowedPools.of(subscription, admission.allowedPools()),
            PoolNames.of(settings.clusterName(), azure.loadBalancers())::manages,
            admission.mirror()),
        new AdmissionChecks(LimitsOf.admission(admission), admission.checks()),
        settings.turnstile().turnDeadline());
  }
}
