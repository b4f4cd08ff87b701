package io.poolkeeper.ops;

import io.poolkeeper.access.AccessVerdict;
import io.poolkeeper.access.Area;
import io.poolkeeper.access.Reviews;
import io.poolkeeper.access.Token;
import io.poolkeeper.access.Verdicts;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what a token may read. All who ask for a token at the same time share one review; its
 * verdict counts for a while. At most {@link #MOST} reviews run, {@link #OF_ONE} of them for one
 * address, so that clients without right cost the API server little. A grant that is asked for is
 * renewed before it ends. Renewals have places of their own, which no made-up token takes.
 */
final class AccessActor extends AbstractMatchingBehavior<AccessActor.Command> {
  private static final Logger log = LoggerFactory.getLogger(AccessActor.class);

  static final int MOST = 16;

  /** Of these, for one address: many clients may be behind it, each with a grant of its own. */
  static final int OF_ONE = 4;

  sealed interface Command {}

  record Ask(Token token, Area area, InetAddress from, ActorRef<AccessVerdict> replyTo)
      implements Command {}

  /** A review that runs, for whom, and who waits for it. */
  private record Review(InetAddress from, boolean renewal, List<ActorRef<AccessVerdict>> waiting) {
    static Review of(Ask ask) {
      return new Review(ask.from(), false, new ArrayList<>(List.of(ask.replyTo())));
    }

    static Review renewalFor(Ask ask) {
      return new Review(ask.from(), true, new ArrayList<>());
    }
  }

  private record Reviewed(Verdicts.Key key, AccessVerdict verdict) implements Command {}

  private final Reviews reviews;
  private final InstantSource clock;
  private final Verdicts verdicts = new Verdicts();
  private final Map<Verdicts.Key, Review> reviewing = new HashMap<>();

  /** Why the last review has no verdict. */
  private Optional<String> failing = Optional.empty();

  /** Reviews nothing by itself; the clock is monotonic. */
  static Behavior<Command> create(Reviews reviews, InstantSource clock) {
    return Behaviors.setup(context -> new AccessActor(context, reviews, clock));
  }

  private AccessActor(ActorContext<Command> context, Reviews reviews, InstantSource clock) {
    super(context);
    this.reviews = reviews;
    this.clock = clock;
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Ask ask -> ask(ask);
      case Reviewed reviewed -> reviewed(reviewed.key(), reviewed.verdict());
    }
    return this;
  }

  private void ask(Ask ask) {
    Verdicts.Key key = Verdicts.Key.of(ask.token(), ask.area());
    Instant now = clock.instant();
    Optional<AccessVerdict> known = verdicts.find(key, now);
    @Nullable Review running = reviewing.get(key);
    if (known.isPresent()) {
      ask.replyTo().tell(known.get());
      if (running == null && verdicts.ends(key, now) && hasPlaceForRenewal()) {
        review(key, ask, Review.renewalFor(ask));
      }
    } else if (running != null) {
      running.waiting().add(ask.replyTo());
    } else if (hasPlace(ask.from())) {
      review(key, ask, Review.of(ask));
    } else {
      ask.replyTo().tell(new AccessVerdict.Unanswered("too many tokens are reviewed at once"));
    }
  }

  private boolean hasPlace(InetAddress from) {
    List<InetAddress> clients =
        reviewing.values().stream().filter(review -> !review.renewal()).map(Review::from).toList();
    return clients.size() < MOST && Collections.frequency(clients, from) < OF_ONE;
  }

  private boolean hasPlaceForRenewal() {
    return reviewing.values().stream().filter(Review::renewal).count() < MOST;
  }

  private void review(Verdicts.Key key, Ask ask, Review review) {
    reviewing.put(key, review);
    getContext()
        .pipeToSelf(
            reviews.review(ask.token(), ask.area()),
            (verdict, failure) ->
                verdict != null
                    ? new Reviewed(key, verdict)
                    : new Reviewed(key, new AccessVerdict.Unanswered(String.valueOf(failure))));
  }

  private void reviewed(Verdicts.Key key, AccessVerdict verdict) {
    verdicts.keep(key, verdict, clock.instant());
    Optional<String> why =
        verdict instanceof AccessVerdict.Unanswered failed
            ? Optional.of(failed.why())
            : Optional.empty();
    if (!why.equals(failing)) {
      why.ifPresent(text -> log.warn("access=unknown error=\"{}\"", text));
      failing = why;
    }
    Objects.requireNonNull(reviewing.remove(key)).waiting().forEach(to -> to.tell(verdict));
  }
}
