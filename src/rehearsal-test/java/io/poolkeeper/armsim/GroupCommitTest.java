package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupCommitTest {
  private static final Optional<String> WELL = Optional.empty();
  private static final Optional<String> FULL = Optional.of("disk full");

  private final StateKeeper.GroupCommit commit = new StateKeeper.GroupCommit();
  private final List<String> notified = new ArrayList<>();

  private void write(String name) {
    commit.changed();
    ask(name);
  }

  private void ask(String name) {
    commit.whenSaved(failure -> notified.add(name + failure.map(why -> ": " + why).orElse("")));
  }

  @Test
  void whenSaved_nothingChanged_isNotifiedAtOnce() {
    ask("a");
    assertThat(notified).containsExactly("a");
    assertThat(commit.begins()).isFalse();
  }

  @Test
  void whenSaved_writesDuringASave_shareTheNextOne() {
    write("a");
    assertThat(commit.begins()).isTrue();
    write("b");
    write("c");
    assertThat(commit.begins()).isFalse();
    assertThat(notified).isEmpty();
    commit.ended(WELL);
    assertThat(notified).containsExactly("a");
    assertThat(commit.awaited()).isTrue();
    assertThat(commit.begins()).isTrue();
    commit.ended(WELL);
    assertThat(notified).containsExactly("a", "b", "c");
    assertThat(commit.begins()).isFalse();
  }

  @Test
  void whenSaved_nothingChangedSinceTheSaveBegan_ridesOnIt() {
    write("a");
    commit.begins();
    ask("b");
    assertThat(notified).isEmpty();
    commit.ended(WELL);
    assertThat(notified).containsExactly("a", "b");
  }

  @Test
  void ended_withAFailure_notifiesItsCallersAndSavesAgain() {
    write("a");
    commit.begins();
    write("b");
    commit.ended(FULL);
    assertThat(notified).containsExactly("a: disk full");
    assertThat(commit.begins()).isTrue();
    commit.ended(WELL);
    assertThat(notified).containsExactly("a: disk full", "b");
  }

  @Test
  void ended_withAFailureAndNoCaller_keepsTheChangesUnsaved() {
    commit.changed();
    commit.begins();
    commit.ended(FULL);
    assertThat(commit.awaited()).isFalse();
    // A no-op may depend on unsaved changes.
    ask("noop");
    assertThat(notified).isEmpty();
    assertThat(commit.begins()).isTrue();
    commit.ended(FULL);
    assertThat(notified).containsExactly("noop: disk full");
  }

  /** After a kill at any moment, the disk has every acknowledged write. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void acknowledged_atAnyMoment_isOnDisk(long seed) {
    RandomGenerator random = new Random(seed);
    List<Integer> memory = new ArrayList<>();
    List<Integer> acknowledged = new ArrayList<>();
    Set<Integer> picture = Set.of();
    Set<Integer> disk = Set.of();
    int checked = 0;
    boolean saving = false;
    int saves = 0;
    for (int step = 0; step < 2_000; step++) {
      int dice = random.nextInt(10);
      if (dice < 5) {
        int write = step;
        memory.add(write);
        commit.changed();
        commit.whenSaved(
            failure -> {
              if (failure.isEmpty()) {
                acknowledged.add(write);
              }
            });
      } else if (dice < 8 && saving) {
        boolean well = random.nextInt(4) > 0;
        disk = well ? picture : disk;
        saving = false;
        commit.ended(well ? WELL : FULL);
      } else if (commit.begins()) {
        assertThat(saving).isFalse();
        saving = true;
        picture = Set.copyOf(memory);
        saves++;
      }
      for (; checked < acknowledged.size(); checked++) {
        assertThat(disk.contains(acknowledged.get(checked))).isTrue();
      }
    }
    assertThat(acknowledged).hasSizeGreaterThan(500);
    assertThat(saves).isLessThan(memory.size());
  }
}
