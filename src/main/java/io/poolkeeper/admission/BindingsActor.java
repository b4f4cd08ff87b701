package io.poolkeeper.admission;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.EventRecorder;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the bindings, and writes their status and finalizers. Policy: {@link BindingsCore}. */
public final class BindingsActor extends CoreActor<BindingsEvent, BindingsState, BindingsEffect> {
  /**
   * The collaborators of the bindings' actor.
   *
   * @param leads whether this replica leads from the start
   * @param bind sends the map of Services a binding's level of a pool; empty if there is none
   * @param clock monotonic
   */
  public record Deps(
      BindingsCore core,
      boolean leads,
      BindingWrites writes,
      BiConsumer<PoolId, Optional<BoundPool>> bind,
      EventRecorder events,
      BindingsObserver observer,
      InstantSource clock,
      RandomGenerator random) {}

  private static final Logger log = LoggerFactory.getLogger(BindingsActor.class);

  private final Deps deps;

  public static Behavior<Command<BindingsEvent>> create(Deps deps) {
    return begin(pekko -> new BindingsActor(pekko, deps));
  }

  private BindingsActor(PekkoContext<BindingsEvent> pekko, Deps deps) {
    super(
        pekko,
        deps.core(),
        BindingsState.initial(deps.leads(), deps.clock().instant()),
        deps.clock(),
        new BindingsEvent.TimerDue(),
        deps.random());
    this.deps = deps;
  }

  @Override
  protected void run(BindingsEffect effect) {
    switch (effect) {
      case BindingsEffect.ReadMark read ->
          getContext().pipeToSelf(deps.writes().mark(), BindingsActor::marked);
      case BindingsEffect.Bind bind -> {
        log(bind);
        deps.bind().accept(bind.pool(), bind.bound());
      }
      case BindingsEffect.Resolved resolved -> log(resolved.binding(), resolved.outcome());
      case BindingsEffect.Emit emit -> {
        // The API server takes no Event in a namespace that ends.
        ObjectEvent event = emit.event();
        log.warn(
            "binding={} event={} message=\"{}\"", event.about(), event.reason(), event.message());
        deps.events().record(event);
      }
      case BindingsEffect.Write write ->
          getContext()
              .pipeToSelf(
                  deps.writes().write(write), (answer, error) -> written(write, answer, error));
    }
  }

  private Command<BindingsEvent> written(
      BindingsEffect.Write write, @Nullable WriteAnswer answer, @Nullable Throwable error) {
    if (answer == null) {
      throw new IllegalStateException("a write that failed instead of saying so", error);
    }
    if (answer instanceof WriteAnswer.Done && write.reset()) {
      deps.observer().reset();
    }
    return new Event<>(new BindingsEvent.Written(write.key(), write.version(), answer));
  }

  private static Command<BindingsEvent> marked(@Nullable Mark mark, @Nullable Throwable error) {
    if (error != null) {
      log.warn(
          "mark=unknown why=\"the UID of Namespace kube-system cannot be read: {}\"",
          error.getMessage());
    }
    return new Event<>(new BindingsEvent.MarkRead(Optional.ofNullable(mark)));
  }

  private static void log(BindingsEffect.Bind bind) {
    if (bind.bound().isEmpty()) {
      log.info("pool={} bound=false", bind.pool());
      return;
    }
    String service = bind.bound().get().service().map(ServiceKey::toString).orElse("leaving");
    String held = bind.bound().get().held().orElse("none");
    log.info("pool={} bound=true service={} held=\"{}\"", bind.pool(), service, held);
  }

  private static void log(BindingKey binding, Outcome outcome) {
    switch (outcome) {
      case Follows follows -> log.info("binding={} owns={}", binding, follows.pool());
      case Leaves leaves -> log.info("binding={} leaves={}", binding, leaves.pool());
      case Refused refused ->
          log.info(
              "binding={} refused={} why=\"{}\"", binding, refused.reason(), refused.message());
    }
  }

  @Override
  protected void report(BindingsState before, BindingsState after) {
    deps.observer().changed(after);
  }
}
