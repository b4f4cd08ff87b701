package io.poolkeeper.process;

import io.poolkeeper.admission.BindingWrites;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.WriteAnswer;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodePatches;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.pool.EventRecorder;
import io.poolkeeper.shadow.ShadowComparison;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the ports that write to Kubernetes in shadow mode. Invariant: each write is counted and
 * logged, and none is made. Pools need no such port: they end their attempts by themselves.
 */
record ShadowPorts(BindingWrites bindings, Consumer<ShadowComparison.Kind> wouldWrite)
    implements EventRecorder, NodePatches, BindingWrites {
  private static final Logger log = LoggerFactory.getLogger(ShadowPorts.class);

  static Ports of(Ports ports, Consumer<ShadowComparison.Kind> wouldWrite) {
    ShadowPorts shadow = new ShadowPorts(ports.bindings(), wouldWrite);
    return new Ports(
        ports.settings(),
        ports.entropy(),
        shadow,
        shadow,
        shadow,
        ports.election(),
        ports.azure(),
        ports.pauses(),
        ports.leases(),
        ports.watches(),
        ports.api(),
        ports.tracing(),
        ports.failed(),
        ports.ended());
  }

  @Override
  public void record(ObjectEvent event) {
    wouldWrite.accept(ShadowComparison.Kind.EVENT);
    log.info("would-write=event reason={} message=\"{}\"", event.reason(), event.message());
  }

  /** A patch counts as done, so that it is not repeated. */
  @Override
  public CompletionStage<PatchResult> patch(NodeEffect.Patch patch) {
    wouldWrite.accept(ShadowComparison.Kind.NODE);
    log.info("would-write=node node={} taint={}", patch.node(), patch.taint());
    return CompletableFuture.completedFuture(PatchResult.DONE);
  }

  /**
   * A finalizer counts as added, so that the binding's effect on its pool is decided. Any other
   * write counts as refused, and is not repeated for this version.
   */
  @Override
  public CompletionStage<WriteAnswer> write(BindingsEffect.Write write) {
    wouldWrite.accept(ShadowComparison.Kind.BINDING);
    WriteAnswer answer =
        switch (write) {
          case BindingsEffect.AddFinalizer add ->
              new WriteAnswer.Done(write.binding().withFinalizer());
          case BindingsEffect.WriteStatus status -> new WriteAnswer.Conflict();
          case BindingsEffect.RemoveFinalizer remove -> {
            log.warn(
                "binding={} why=\"its deletion waits for a finalizer, which shadow mode does not"
                    + " remove\"",
                write.key());
            yield new WriteAnswer.Conflict();
          }
        };
    return CompletableFuture.completedFuture(answer);
  }

  @Override
  public CompletionStage<Mark> mark() {
    return bindings.mark();
  }
}
