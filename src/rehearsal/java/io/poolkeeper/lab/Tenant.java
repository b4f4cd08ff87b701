package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.judge.Bound;
import io.poolkeeper.lab.judge.Bound.Refusal;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Optional;

/**
 * A tenant who may make any binding and write any status in two namespaces, and wants what others
 * own. All that he makes must be refused. Used by one thread.
 */
record Tenant(Stage stage, List<Bound> made) {
  private static final String FINALIZER = "poolkeeper.io/addresses";

  /** Bindings that exist as long as the tenant does; their pools have their names. */
  private static final List<String> VICTIMS = List.of("delays", "rejected", "flapping", "free");

  /** Services that change in the middle of the flood, and not before. */
  private static final List<String> SERVICES = List.of("login", "audit", "push");

  private static final int WAVE = 100;

  /** The answer to a check that only the tenant himself answers. */
  private static final String ANSWER =
      """
      {"status": {"admissionChecks": [{"name": "never", "state": "Ready", "retryCount": 0,
        "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
      """;

  /** As if what is foreign had been added by the victim. */
  private static final String FORGED =
      """
      {"status": {"addresses": {"added": ["10.240.0.200", "10.240.0.201"]}, "conditions": [
        {"type": "Ready", "status": "False", "reason": "Taken", "message": "forged",
         "observedGeneration": 1, "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
      """;

  /** Names the pools of all others, with our finalizer, and forges statuses. */
  void reaches() {
    stage.say("a tenant names pools of others and of the cloud provider, and forges statuses");
    for (Bound owner : List.copyOf(stage.bindings.all())) {
      stage.bindings.forge(owner, FORGED);
      make(UnmanagedBalancer.RIVAL, owner.pool(), "NotAllowed", "allows the namespace");
    }
    for (String service : SERVICES) {
      Spec spec = Blueprint.named(service);
      make(Blueprint.NAMESPACE, spec.id(false), "ManagedByCloudProvider", "");
    }
    for (String namespace : List.of(Blueprint.NAMESPACE, UnmanagedBalancer.RIVAL)) {
      make(
          namespace,
          UnmanagedBalancer.pool(UnmanagedBalancer.TWICE),
          "NotAllowed",
          "several namespaces");
      make(namespace, UnmanagedBalancer.pool(UnmanagedBalancer.FORBIDDEN), "NotAllowed", namespace);
      // In a resource group that no pattern names, and that is not there.
      PoolId elsewhere = new LoadBalancerId(Blueprint.SUBSCRIPTION, "elsewhere", "lb").pool("p");
      make(namespace, elsewhere, "NotAllowed", "in the resource group elsewhere");
    }
  }

  private void make(String namespace, PoolId pool, String reason, String message) {
    Optional<Refusal> refusal = Optional.of(new Refusal(reason, message));
    String name = "tenant-" + made.size();
    Bound bound = new Bound(namespace, name, "login", pool, List.of("never"), refusal);
    made.add(stage.bindings.create(bound, FINALIZER));
    stage.bindings.forge(bound, ANSWER);
  }

  /** Makes hundreds of bindings of others' pools while endpoints move. */
  void floods() {
    stage.say("the tenant makes %d more bindings".formatted(WAVE * SERVICES.size()));
    for (String service : SERVICES) {
      for (int i = 0; i < WAVE; i++) {
        String victim = VICTIMS.get(i % VICTIMS.size());
        make(Blueprint.NAMESPACE, UnmanagedBalancer.pool("bound-" + victim), "Taken", victim);
      }
      stage.move(Blueprint.named(service));
      stage.ledger.prompt.add(stage.world.changes().getLast());
    }
  }

  void goes() {
    stage.say("the tenant deletes all that he has made");
    made.forEach(stage.bindings::delete);
  }
}
