package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.key;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsEffect.AddFinalizer;
import io.poolkeeper.admission.BindingsEffect.Bind;
import io.poolkeeper.admission.BindingsEffect.Emit;
import io.poolkeeper.admission.BindingsEffect.ReadMark;
import io.poolkeeper.admission.BindingsEffect.RemoveFinalizer;
import io.poolkeeper.admission.BindingsEffect.Resolved;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plays what happens to {@link BindingsWorld}, a line each: {@code event -> all that is asked for},
 * {@code event ~> some of it}, or a question and its answer. {@code +a} and {@code -a} are writes
 * of the finalizer of the binding shop/a, {@code a is InSync} is one of its status. {@code event !>
 * some} is none of it.
 */
final class BindingsStory {
  final BindingsWorld world;
  private final Map<String, String> outcomes = new TreeMap<>();
  private boolean answers;
  private final Map<String, String> bound = new TreeMap<>();

  BindingsStory() {
    this(true);
  }

  BindingsStory(boolean leads) {
    world = new BindingsWorld(leads);
  }

  BindingsStory plays(String lines) {
    lines.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(this::line);
    return this;
  }

  private void line(String line) {
    int arrow = Stream.of("->", "~>", "!>").mapToInt(line::indexOf).max().orElse(-1);
    String[] words = (arrow < 0 ? line : line.substring(0, arrow).strip()).split(" +", -1);
    String said = said(words[0], Arrays.copyOfRange(words, 1, words.length));
    String expected = arrow < 0 ? said : line.substring(arrow + 2).strip();
    if (arrow >= 0 && line.charAt(arrow) == '~') {
      assertThat(said).as(line).contains(expected);
    } else if (arrow >= 0 && line.charAt(arrow) == '!') {
      assertThat(said).as(line).doesNotContain(expected);
    } else {
      assertThat(said).as(line).isEqualTo(expected);
    }
  }

  private String said(String what, String... of) {
    return switch (what) {
      case "marked" -> words(world.pool().marked());
      case "addresses" -> words(world.pool().addresses());
      case "bindings" ->
          words(
              world.bindings().stream()
                  .map(b -> name(b.key()) + (b.finalizer() ? "+" : ""))
                  .toList());
      case "outcomes" -> String.join(" ", outcomes.values());
      case "bound" -> String.join("; ", bound.values());
      default -> {
        happens(what, of);
        yield told();
      }
    };
  }

  private static String words(Collection<?> all) {
    return all.stream().map(Object::toString).collect(Collectors.joining(" "));
  }

  private void happens(String what, String... of) {
    switch (what) {
      case "endpoints" -> world.endpoints(of[0], Arrays.copyOfRange(of, 1, of.length));
      case "foreign" -> world.foreign(of[0]);
      case "store" -> world.store(binding(of));
      case "begin" -> world.begin();
      case "settle" -> world.settle();
      case "go" -> world.goOn();
      case "crash" -> world.crash();
      case "delete" -> world.delete(of[0]);
      case "inactive" -> world.change(of[0], false);
      case "check" -> world.change(of[0], true, CheckWords.checks(of[1]).toArray(Check[]::new));
      case "wrong" -> world.store(BindingFixtures.wrong(world.binding(of[0])));
      case "strip" -> world.store(with(world.binding(of[0]), false));
      case "pass" -> world.pass(Duration.parse("PT" + of[0]));
      case "hear" -> hear(world.binding(of[0]));
      case "hears" -> hear(binding(of));
      case "gone" -> world.send(new BindingsEvent.Changed(Map.of(key(of[0]), Optional.empty())));
      case "lost" -> world.send(new BindingsEvent.WatchLost());
      case "synced" -> world.send(new BindingsEvent.Synced());
      case "pause" -> world.send(new BindingsEvent.Paused(true));
      case "resume" -> world.send(new BindingsEvent.Paused(false));
      case "missing" -> world.listed(POOL);
      case "listed" -> world.listed();
      case "forgotten" -> world.send(new BindingsEvent.PoolForgotten(POOL));
      case "conflict" -> answered(of[0], new WriteAnswer.Conflict());
      case "fails" -> answered(of[0], new WriteAnswer.Failed("no"));
      case "stop" -> world.send(new BindingsEvent.Stop());
      case "lead" -> world.send(new BindingsEvent.Lead());
      case "nomark" -> world.send(new BindingsEvent.MarkRead(Optional.empty()));
      case "mark" -> world.send(new BindingsEvent.MarkRead(Optional.of(FakePool.MARK)));
      case "deletes" -> deletes(of[0], Duration.parse("PT" + of[1]));
      case "shown" -> shown(of);
      default -> throw new IllegalArgumentException(what);
    }
  }

  void hear(BindingView view) {
    world.send(new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view))));
  }

  /** The binding of the Service web is heard of again, and was deleted so long from now. */
  private void deletes(String name, Duration when) {
    BindingView view = binding(name, "web", "finalizer");
    Optional<Instant> at = Optional.of(world.now().plus(when));
    hear(with(view, true, at, true, view.admission()));
  }

  /** {@code shown 0s} is a read that has begun now and shows nothing of ours; or addresses. */
  private void shown(String... words) {
    Optional<Instant> clear =
        Stream.of(words)
            .filter(word -> word.endsWith("s"))
            .map(word -> world.now().plus(Duration.parse("PT" + word)))
            .findFirst();
    Set<Address> in = clear.isPresent() ? Set.of() : BindingFixtures.addresses(words);
    world.send(
        new BindingsEvent.PoolShown(
            BindingFixtures.status(Map.of(), "Idle", Optional.empty(), in, in, clear, false)));
  }

  /** Whatever status is written is written at once. */
  BindingsStory answering() {
    answers = true;
    return this;
  }

  /** A write of the version that is there. */
  private void answered(String name, WriteAnswer answer) {
    world.send(new BindingsEvent.Written(key(name), version(name), answer));
  }

  private String version(String name) {
    return world.bindings().stream()
        .filter(view -> view.key().equals(key(name)))
        .map(BindingView::version)
        .findFirst()
        .orElse("");
  }

  /** {@code a web freeze pool=green made=-60 finalizer wrong inactive}. */
  private static BindingView binding(String... words) {
    Set<String> more = new TreeSet<>(List.of(words).subList(2, words.length));
    PoolId pool = BindingFixtures.pool(value(more, "pool").orElse("blue"));
    long made = value(more, "made").map(Long::parseLong).orElse(0L);
    String[] checks = Stream.of("freeze").filter(more::contains).toArray(String[]::new);
    BindingView plain = view(words[0], words[1], pool, T0.plusSeconds(made), checks);
    BindingView valid = more.contains("wrong") ? BindingFixtures.wrong(plain) : plain;
    AdmissionSubject is = valid.admission();
    AdmissionSubject admission =
        new AdmissionSubject(
            is.listed(), List.of(), !more.contains("inactive"), false, false, Duration.ZERO);
    return with(valid, more.contains("finalizer"), Optional.empty(), false, admission);
  }

  private static Optional<String> value(Set<String> words, String name) {
    return words.stream()
        .filter(word -> word.startsWith(name + "="))
        .map(word -> word.substring(name.length() + 1))
        .findFirst();
  }

  /** What was asked for since this was called last. */
  String told() {
    List<BindingsEffect> all = new ArrayList<>();
    for (List<BindingsEffect> some = world.effects(); !some.isEmpty(); some = world.effects()) {
      all.addAll(some);
      some.stream().filter(effect -> answers).forEach(this::answer);
    }
    return all.stream().map(this::words).collect(Collectors.joining("; "));
  }

  private void answer(BindingsEffect effect) {
    if (effect instanceof WriteStatus write) {
      WriteAnswer done = new WriteAnswer.Done(write.binding());
      world.send(new BindingsEvent.Written(write.key(), write.version(), done));
    }
  }

  private String words(BindingsEffect effect) {
    return switch (effect) {
      case ReadMark read -> "mark?";
      case Bind bind -> {
        String words = words(bind);
        bound.put(bind.pool().name(), words);
        bound.values().removeIf(word -> word.endsWith(" free"));
        yield words;
      }
      case Resolved resolved -> {
        String words = name(resolved.binding()) + " " + words(resolved.outcome());
        outcomes.put(name(resolved.binding()), words);
        yield words;
      }
      case Emit emit -> "says " + emit.event();
      case WriteStatus write ->
          name(write.key())
              + " is "
              + write.report().ready().reason()
              + (write.reset() ? " reset" : "");
      case AddFinalizer add -> "+" + name(add.key());
      case RemoveFinalizer remove -> "-" + name(remove.key());
    };
  }

  private static String name(BindingKey key) {
    return key.namespace().equals("shop") ? key.name() : key.toString();
  }

  private String words(Bind bind) {
    return bind.pool().name()
        + bind.bound()
            .map(
                of ->
                    of.service()
                            .map(service -> " for " + service.name())
                            .orElseGet(() -> leaving(of))
                        + of.held().map(why -> " held: " + why).orElse(""))
            .orElse(" free");
  }

  private String leaving(BoundPool of) {
    Duration from = Duration.between(world.now(), of.leaving().orElseThrow());
    return " leaving" + (from.isZero() ? "" : " in " + from.toSeconds() + " s");
  }

  static String words(Resolution.Outcome outcome) {
    return switch (outcome) {
      case Follows follows -> "follows";
      case Leaves leaves -> "leaves";
      case Refused refused -> refused.reason() + ": " + refused.message();
    };
  }
}
