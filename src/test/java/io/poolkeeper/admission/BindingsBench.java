package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;

import io.poolkeeper.core.Decision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a decision about bindings takes while there are many: 10,000 of as many pools, or 1,000
 * of one. Each has a check that has asked for a delay, and so a time at which it is looked at.
 *
 * <pre>
 * mvn -q -B verify -Pfull -Dquick -DskipTests -DskipBenchmarks=false
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 2, time = 1)
@Fork(1)
public class BindingsBench {
  private static final BindingsCore CORE = BindingFixtures.core(BindingFixtures.SHOP);

  /** Bindings and pools. */
  @Param({"10000/10000", "1000/1"})
  public String of;

  private final Map<BindingKey, Optional<BindingView>> all = new LinkedHashMap<>();
  private BindingsState settled = BindingsState.initial(true, T0);
  private BindingView owner = binding(0, 1);
  private BindingView last = owner;
  private int changes;

  /** The youngest is heard first, which is the worst that can happen. */
  @Setup(Level.Trial)
  public void resolve() {
    String[] numbers = of.split("/", -1);
    int bindings = Integer.parseInt(numbers[0]);
    int pools = Integer.parseInt(numbers[1]);
    for (int i = bindings; i > 0; i--) {
      BindingView view = binding(i, pools);
      all.put(view.key(), Optional.of(view));
      last = i == bindings ? view : last;
      owner = view;
    }
    settled = fromNothing();
  }

  private static BindingView binding(int i, int pools) {
    Check retry = new Check("freeze", Check.State.RETRY, Optional.of(T0), "", Optional.of(600), 0);
    BindingView view =
        view(
            "binding-%05d".formatted(i),
            "web",
            BindingFixtures.pool("pool-" + i % pools),
            T0.plusSeconds(i),
            "freeze");
    AdmissionSubject admission =
        new AdmissionSubject(
            view.admission().listed(), List.of(retry), true, false, false, Duration.ZERO);
    return with(view, true, Optional.empty(), true, admission);
  }

  private static BindingsState after(BindingsState state, BindingsEvent event) {
    Decision<BindingsState, BindingsEffect> decision = CORE.decide(state, event, T0, () -> 0);
    CORE.wakeAt(decision.state());
    return decision.state();
  }

  /** A process starts, and all is known by one event. */
  @Benchmark
  public BindingsState fromNothing() {
    BindingsState state = BindingsState.initial(true, T0);
    state = after(state, new BindingsEvent.MarkRead(Optional.of(FakePool.MARK)));
    state = after(state, new BindingsEvent.Changed(all));
    return after(state, new BindingsEvent.Synced());
  }

  /** One that is no owner, if there is such a one, changes. */
  @Benchmark
  public BindingsState oneChanges() {
    return changed(last);
  }

  @Benchmark
  public BindingsState ownerChanges() {
    return changed(owner);
  }

  private BindingsState changed(BindingView of) {
    BindingView next = with(of, changes++ % 2 == 0);
    settled = after(settled, new BindingsEvent.Changed(Map.of(of.key(), Optional.of(next))));
    return settled;
  }

  /** A binding goes and comes again: of one pool, all others hear of two other owners. */
  @Benchmark
  @OperationsPerInvocation(2)
  public BindingsState ownerGoesAndComes() {
    BindingsState without =
        after(settled, new BindingsEvent.Changed(Map.of(owner.key(), Optional.empty())));
    return after(without, new BindingsEvent.Changed(Map.of(owner.key(), Optional.of(owner))));
  }

  /** The timer is due, and nothing is. */
  @Benchmark
  public BindingsState timerDue() {
    return after(settled, new BindingsEvent.TimerDue());
  }
}
