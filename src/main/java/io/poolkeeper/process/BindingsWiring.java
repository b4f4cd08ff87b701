package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor.Command;
import io.poolkeeper.actor.CoreActor.Event;
import io.poolkeeper.admission.AdmissionChecks;
import io.poolkeeper.admission.BindingWrites;
import io.poolkeeper.admission.BindingsActor;
import io.poolkeeper.admission.BindingsCore;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.admission.BindingsObserver;
import io.poolkeeper.admission.Resolution;
import io.poolkeeper.admission.WriteAnswer;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.Names;
import io.poolkeeper.service.PoolNames;
import io.poolkeeper.service.ServiceMapEvent;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires the bindings to the map of Services and to their port. */
record BindingsWiring(Ports ports, BindingsObserver observer, BooleanSupplier mayWrite)
    implements BindingWrites {
  Behavior<Command<BindingsEvent>> behavior(
      CompletionStage<ActorRef<Command<ServiceMapEvent>>> map) {
    return BindingsActor.create(
        new BindingsActor.Deps(
            core(ports.settings()),
            ports.election().isEmpty(),
            this,
            (pool, bound) ->
                map.thenAccept(
                    actor -> actor.tell(new Event<>(new ServiceMapEvent.PoolBound(pool, bound)))),
            ports.events(),
            observer,
            ports.entropy().monotonic(),
            ports.entropy().random()));
  }

  @Override
  public CompletionStage<WriteAnswer> write(BindingsEffect.Write write) {
    return mayWrite.getAsBoolean()
        ? ports.bindings().write(write)
        : CompletableFuture.completedFuture(new WriteAnswer.Failed("this replica does not lead"));
  }

  @Override
  public CompletionStage<Mark> mark() {
    return ports.bindings().mark();
  }

  /** The resource groups besides the configured one in which bindings may name pools. */
  static Set<String> groups(Settings settings) {
    Set<String> groups = new HashSet<>();
    if (settings.admission().enabled()) {
      groups.addAll(settings.allowedPools().groups());
      groups.remove(Names.fold(settings.azure().loadBalancerResourceGroup()));
    }
    return groups;
  }

  static PoolNames names(Settings settings) {
    return PoolNames.of(settings.clusterName(), settings.azure().loadBalancers());
  }

  private static BindingsCore core(Settings settings) {
    Azure azure = settings.azure();
    Settings.Admission admission = settings.admission();
    return new BindingsCore(
        new Resolution(
            azure.subscriptionId(),
            azure.loadBalancerResourceGroup(),
            settings.allowedPools(),
            names(settings)::isProviders),
        new AdmissionChecks(admission.limits(), admission.checks()),
        settings.rateLimiter().permitDeadline());
  }
}
