package io.poolkeeper.simulation;

import io.poolkeeper.admission.BindingWrites;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.Check;
import io.poolkeeper.admission.WriteAnswer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The simulated API server's answers to writes of bindings: each is of one version, and refused if
 * that has changed. A finalizer goes only when nothing of the binding is left in its pool.
 */
final class SimBindings {
  /** The mark of the cluster. */
  static final io.poolkeeper.model.Mark MARK =
      io.poolkeeper.model.Mark.of("0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9");

  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The longest delay of a former leader's write. */
  private static final Duration LATEST = SECOND.multipliedBy(20);

  /** After this time a deletion is given up, though entries are left. */
  private static final Duration LONGEST_DELETION = Duration.ofMinutes(30);

  /** The longest delay that a check may ask for. */
  static final Duration LONGEST_DELAY = Duration.ofMinutes(4);

  private final SimWorld sim;
  private final Chance chance;
  private int serial;

  SimBindings(SimWorld sim, Chance chance) {
    this.sim = sim;
    this.chance = chance;
  }

  /**
   * The way of a process to the bindings.
   *
   * @param accepted hears what its writes were answered
   */
  BindingWrites of(SimProcess process, SimElection election, Consumer<SimBinding> accepted) {
    return new BindingWrites() {
      @Override
      public CompletionStage<WriteAnswer> write(BindingsEffect.Write write) {
        election.writes();
        return SimBindings.this.write(process, election.replaces(), write, accepted);
      }

      @Override
      public CompletionStage<io.poolkeeper.model.Mark> mark() {
        return sim.faults.on() && chance.happens(0.5)
            ? CompletableFuture.failedFuture(new IOException("no right to it"))
            : CompletableFuture.completedFuture(MARK);
      }
    };
  }

  /** A process writes a binding. */
  private CompletionStage<WriteAnswer> write(
      SimProcess from,
      boolean replaced,
      BindingsEffect.Write write,
      Consumer<SimBinding> accepted) {
    CompletableFuture<WriteAnswer> answer = new CompletableFuture<>();
    if (replaced) {
      sim.time.after(Duration.ZERO, from::die);
    }
    boolean spoiled = sim.faults.on() && sim.options.has(Fault.PATCH) && chance.happens(0.2);
    boolean lost = spoiled && chance.happens(0.5);
    Duration there = chance.between(MILLI, replaced || spoiled ? LATEST : SECOND);
    Duration back = chance.between(MILLI, SECOND);
    sim.time.after(
        there,
        () -> {
          WriteAnswer made = lost ? new WriteAnswer.Failed("lost") : apply(from, write);
          if (replaced || made instanceof WriteAnswer.Conflict) {
            sim.mark(
                replaced && made instanceof WriteAnswer.Done
                    ? RunMark.LATE_BINDING_MADE
                    : RunMark.BINDING_CONFLICT);
          }
          @Nullable SimBinding stored = sim.cluster.bindings.get(write.key().name());
          WriteAnswer said = spoiled ? new WriteAnswer.Failed("no answer") : made;
          sim.time.after(
              back,
              from.guarded(
                  () -> {
                    if (said instanceof WriteAnswer.Done && stored != null) {
                      accepted.accept(stored);
                    }
                    answer.complete(said);
                  }));
        });
    return answer;
  }

  private WriteAnswer apply(SimProcess from, BindingsEffect.Write write) {
    sim.trace.say(
        "the API server is sent %s of %s, version %s"
            .formatted(write.getClass().getSimpleName(), write.key(), write.version()));
    @Nullable SimBinding now = sim.cluster.bindings.get(write.key().name());
    if (now == null || !write.version().equals(Long.toString(now.meta().version()))) {
      return new WriteAnswer.Conflict();
    }
    SimBinding next =
        switch (write) {
          case BindingsEffect.AddFinalizer add -> now.finalizer(true);
          case BindingsEffect.RemoveFinalizer remove -> {
            mayGo(now);
            yield now.finalizer(false);
          }
          case BindingsEffect.WriteStatus status -> {
            SimBinding after = now.with(status(now, status));
            mayReset(now, after.status().checks());
            yield after;
          }
        };
    return new WriteAnswer.Done(put(now, next).view(from.ahead));
  }

  private static SimBinding.Status status(SimBinding now, BindingsEffect.WriteStatus write) {
    return new SimBinding.Status(
        write.report().checks(), now.meta().generation(), Optional.of(write.report()));
  }

  /** A new binding, which is not stored yet. */
  SimBinding made(String name, SimBinding.Spec spec) {
    SimBinding.Meta meta =
        new SimBinding.Meta(
            name, "binding-" + ++serial, sim.time.now(), 0, 1, false, Optional.empty());
    return new SimBinding(meta, spec, SimBinding.Status.NONE);
  }

  /** Stores a binding that has changed, or removes it if it is deleted and has no finalizer. */
  SimBinding put(@Nullable SimBinding before, SimBinding next) {
    if (before != null && next.equals(before)) {
      return before;
    }
    if (next.meta().deleted() && !next.meta().finalizer()) {
      sim.cluster.remove(SimCluster.Kind.BINDING, next.name());
      return next;
    }
    return sim.cluster.put(next);
  }

  /** A check that has said later is asked again when the latest such delay is over. */
  private void mayReset(SimBinding binding, List<Check> next) {
    List<Check> later =
        binding.status().checks().stream()
            .filter(check -> check.state() == Check.State.RETRY)
            .toList();
    List<String> pending =
        next.stream()
            .filter(check -> check.state() == Check.State.PENDING)
            .map(Check::name)
            .toList();
    boolean resets = later.stream().map(Check::name).anyMatch(pending::contains);
    if (resets && binding.spec().active() && !binding.changed()) {
      boolean over = later.stream().noneMatch(check -> end(check).isAfter(sim.time.now()));
      sim.check(over, "%s is reset too early: %s".formatted(binding.name(), later));
    }
  }

  private static Instant end(Check check) {
    Duration delay = Duration.ofSeconds(check.requeueAfterSeconds().orElse(0));
    Duration cut = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    return check.lastTransitionTime().orElse(Instant.MIN).plus(cut);
  }

  /** Unless a former leader's write arrives later than any does, or pools are said to be gone. */
  boolean sure() {
    return !sim.met(RunMark.LATE_WRITE_MADE) && !sim.options.has(Fault.NOT_FOUND);
  }

  private void mayGo(SimBinding binding) {
    Set<String> left = new TreeSet<>(sim.arm.entries(binding.pool()).keySet());
    left.removeIf(name -> !MARK.on(name));
    Collection<SimBinding> all = sim.cluster.bindings.values();
    boolean last =
        SimBinding.owner(all, binding.pool())
            .map(binding::equals)
            .orElseGet(
                () -> all.stream().filter(one -> one.pool().equals(binding.pool())).count() == 1);
    if (!last) {
      return;
    }
    Instant deleted = binding.meta().deletedAt().orElseThrow();
    if (!left.isEmpty() && !sim.time.now().isBefore(deleted.plus(LONGEST_DELETION))) {
      sim.mark(RunMark.DELETION_GIVEN_UP);
      return;
    }
    sim.check(!sure() || left.isEmpty(), "%s goes, and leaves %s".formatted(binding.name(), left));
    if (!sim.cluster.services.containsKey(binding.spec().target().service().name())) {
      sim.mark(RunMark.CLEANED_WITHOUT_SERVICE);
    }
  }
}
