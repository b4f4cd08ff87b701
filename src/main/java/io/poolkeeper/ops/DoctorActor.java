package io.poolkeeper.ops;

import io.poolkeeper.doctor.Examination;
import io.poolkeeper.doctor.Known;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.StatusReply;
import org.jspecify.annotations.Nullable;

/**
 * Examines the installation on request: one examination at a time, and one for all who ask within
 * {@link #FRESH}, as anybody may ask and each costs Azure a dozen reads.
 */
final class DoctorActor extends AbstractMatchingBehavior<DoctorActor.Command> {
  static final Duration FRESH = Duration.ofSeconds(10);

  /** The maximum of requests that wait for one examination. */
  private static final int MOST = 100;

  sealed interface Command {}

  record Examine(Known known, ActorRef<StatusReply<Examination>> replyTo) implements Command {}

  private record Done(@Nullable Examination examination, @Nullable Throwable failure)
      implements Command {}

  private final Function<Supplier<Known>, CompletionStage<Examination>> doctor;
  private final InstantSource clock;
  private final List<ActorRef<StatusReply<Examination>>> waiting = new ArrayList<>();
  private Optional<Examination> last = Optional.empty();
  private Instant ended = Instant.MIN;

  /** Examines nothing by itself; the clock is monotonic. */
  static Behavior<Command> create(
      Function<Supplier<Known>, CompletionStage<Examination>> doctor, InstantSource clock) {
    return Behaviors.setup(context -> new DoctorActor(context, doctor, clock));
  }

  private DoctorActor(
      ActorContext<Command> context,
      Function<Supplier<Known>, CompletionStage<Examination>> doctor,
      InstantSource clock) {
    super(context);
    this.doctor = doctor;
    this.clock = clock;
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Examine examine -> examine(examine);
      case Done done -> {
        last = Optional.ofNullable(done.examination());
        ended = clock.instant();
        StatusReply<Examination> reply =
            done.examination() != null
                ? StatusReply.success(done.examination())
                : StatusReply.error("the examination failed: " + done.failure());
        waiting.forEach(to -> to.tell(reply));
        waiting.clear();
      }
    }
    return this;
  }

  private void examine(Examine asked) {
    if (last.isPresent() && clock.instant().isBefore(ended.plus(FRESH))) {
      asked.replyTo().tell(StatusReply.success(last.get()));
      return;
    }
    if (waiting.size() >= MOST) {
      asked.replyTo().tell(StatusReply.error("too many ask at once"));
      return;
    }
    waiting.add(asked.replyTo());
    if (waiting.size() == 1) {
      getContext().pipeToSelf(doctor.apply(asked::known), Done::new);
    }
  }
}
