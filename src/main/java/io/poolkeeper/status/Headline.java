package io.poolkeeper.status;

import io.poolkeeper.model.Pause;
import io.poolkeeper.status.CauseLine.Fewest;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The first sentence of a report: the state, its main cause, and what to do.
 *
 * @param text the state
 * @param rest of the sentence
 * @param todo what a person does; empty if that is nothing
 * @param until when the wait ends; empty unless it helps to wait, and it is known what happens then
 * @param exactness of {@code until}
 * @param untilWhat what happens then
 */
public record Headline(
    Tone tone,
    String text,
    String rest,
    String todo,
    String more,
    Optional<Instant> until,
    Optional<Exactness> exactness,
    Optional<String> untilWhat) {
  private static final String ALL = "All ";

  record Facts(
      List<PoolLine> pools,
      Impact impact,
      List<CauseLine> causes,
      int leaving,
      Optional<Pause> pause,
      Optional<String> leader,
      Installation self) {
    private int behind() {
      return Math.toIntExact(pools.stream().filter(PoolLine::behind).count());
    }

    private long draining() {
      return pools.stream().filter(line -> line.status().difference().down() > 0).count();
    }

    private Optional<CauseLine> first() {
      return causes.stream()
          .filter(line -> !(line.cause() instanceof Cause.NotManaged))
          .findFirst();
    }

    /** The first cause of pools that are behind, of which there must be some. */
    private CauseLine reason() {
      return causes.stream()
          .filter(line -> line.pools() > 0 && !(line.cause() instanceof Cause.NotManaged))
          .findFirst()
          .orElseThrow();
    }

    private boolean is(Class<? extends Cause> cause) {
      return causes.stream().anyMatch(line -> cause.isInstance(line.cause()));
    }
  }

  static Headline of(Facts facts) {
    if (facts.is(Cause.NotLeading.class)) {
      return standby(facts);
    }
    if (facts.is(Cause.Starting.class)) {
      return aside(Cause.Starting.class, Tone.MOVE, "Poolkeeper is starting", ".", facts);
    }
    int behind = facts.behind();
    Optional<CauseLine> first = facts.first();
    if (behind == 0) {
      return first.map(line -> processOnly(line, facts)).orElseGet(() -> inSync(facts));
    }
    CauseLine cause = first.orElseThrow();
    CauseLine reason = facts.reason();
    String also = also(cause);
    Impact impact = facts.impact();
    if (!impact.none().isEmpty()) {
      return hurt(impact, cause, facts);
    }
    boolean drains = facts.draining() * 2 > behind && facts.leaving() > 0;
    if (drains && cause.cause().tone() != Tone.NEED) {
      String nodes =
          facts.leaving() == 1 ? "1 node is leaving" : facts.leaving() + " nodes are leaving";
      String pools =
          facts.draining() == 1 ? "1 pool still sends" : facts.draining() + " pools still send";
      String rest =
          "; %s %s new connections.".formatted(pools, facts.leaving() == 1 ? "it" : "them");
      return of(nodes, rest + also, cause, facts);
    }
    if (!impact.text().isEmpty()) {
      return hurt(impact, cause, facts);
    }
    if (reason.cause() instanceof Cause.WouldWrite) {
      String rest = " from what Poolkeeper would write now.";
      return of(count(behind, facts, "differ"), rest + also, cause, facts);
    }
    String because = reason.text().because();
    String rest =
        reason.pools() == behind
            ? ": " + because + "."
            : ", %d because %s.".formatted(reason.pools(), because);
    return of(count(behind, facts, "are behind"), rest + also, cause, facts);
  }

  /** A wait that ends something else is in its cause alone. */
  private Headline withoutWait() {
    return new Headline(
        tone, text, rest, todo, more, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Whom it hurts comes first; who acts may be the end of another cause. */
  private static Headline hurt(Impact impact, CauseLine cause, Facts facts) {
    boolean named = impact.names(cause.cause());
    String also = named ? "" : " " + cause.text().title() + ".";
    Headline headline = of(impact.text(), impact.rest() + also, cause, facts);
    return named ? headline : headline.withoutWait();
  }

  private static Headline standby(Facts facts) {
    String rest = facts.leader().map("; %s leads."::formatted).orElse(".");
    return aside(Cause.NotLeading.class, Tone.OK, "This replica is on standby", rest, facts);
  }

  /** One that follows no pool yet says all the same what is wrong with what it sees. */
  private static Headline aside(
      Class<? extends Cause> why, Tone tone, String text, String rest, Facts facts) {
    return facts.causes().stream()
        .filter(line -> line.cause().tone() == Tone.NEED || line.cause().tone() == Tone.WAIT)
        .filter(line -> line.pools() == 0)
        .findFirst()
        .map(line -> of(text, rest + also(line), line, facts))
        .orElseGet(() -> calm(tone, text, rest, more(why, facts)));
  }

  /** What is wrong beside the pools that are behind, and keeps none of them so. */
  private static String also(CauseLine line) {
    return line.pools() == 0 ? " " + line.text().title() + "." : "";
  }

  private static String count(int behind, Facts facts, String verb) {
    String agrees = behind == 1 ? verb.replace("are", "is").replace("differ", "differs") : verb;
    return "%,d of %,d pools %s".formatted(behind, facts.pools().size(), agrees);
  }

  private static Headline of(String text, String rest, CauseLine cause, Facts facts) {
    CauseText words = cause.text();
    boolean needs = cause.cause().tone() == Tone.NEED;
    String calm = words.todo().replaceFirst("^Nothing( now)?\\.$", "Nothing to do now.");
    String todo = needs ? "Needs you: " + lower(words.todo()) : calm;
    // A wait that does not help is no news; its end is with the cause.
    boolean helpsToWait = !needs && !words.until().isEmpty();
    Optional<Instant> until = helpsToWait ? cause.until() : Optional.empty();
    return new Headline(
        cause.cause().tone(),
        text,
        rest,
        todo,
        facts.impact().none().isEmpty() ? harm(facts) : facts.impact().names(),
        until,
        until.map(end -> cause.exactness()),
        until.map(end -> words.until()));
  }

  /** The headline if no pool is behind, but something is wrong. */
  private static Headline processOnly(CauseLine cause, Facts facts) {
    String rest = facts.pools().isEmpty() ? "." : "; the pools that are known are in sync.";
    return of(cause.text().title(), rest, cause, facts);
  }

  private static Headline inSync(Facts facts) {
    int all = facts.pools().size();
    if (all == 0) {
      return calm(
          Tone.OK, "No pool is followed", ".", "No Service asks for one, and no binding has one.");
    }
    String pools = all == 1 ? "The pool is" : ALL + "%,d pools are".formatted(all);
    String state = facts.self().shadow() ? " as Poolkeeper would write them" : " in sync";
    Optional<Instant> paused = facts.pause().map(Pause::until);
    String rest = paused.map("; Poolkeeper is paused until %s."::formatted).orElse(".");
    return calm(Tone.OK, pools + state, rest, "");
  }

  private static Headline calm(Tone tone, String text, String rest, String more) {
    return new Headline(
        tone, text, rest, "", more, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static String more(Class<? extends Cause> cause, Facts facts) {
    return facts.causes().stream()
        .filter(line -> cause.isInstance(line.cause()))
        .map(line -> line.text().more())
        .findFirst()
        .orElse("");
  }

  /** How far the pool with the fewest right nodes is down. */
  private static String harm(Facts facts) {
    Optional<Fewest> worst =
        facts.causes().stream()
            .flatMap(line -> line.fewest().stream())
            .min(Comparator.comparingDouble(Fewest::part));
    if (worst.isEmpty()) {
      return "";
    }
    Fewest pool = worst.get();
    return pool.part() <= 0.5
        ? "%s is down to %d of %d nodes.".formatted(pool.name(), pool.right(), pool.wanted())
        : "Every pool still has at least %d %% of its nodes."
            .formatted((int) Math.floor(pool.part() * 100));
  }

  private static String lower(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }
}
