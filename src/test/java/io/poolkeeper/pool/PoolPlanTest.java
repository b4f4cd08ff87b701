package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.exactly;
import static io.poolkeeper.pool.PoolFixtures.members;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.text;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fresh GET times the desired gives the edit, and nothing but what the desired says. */
class PoolPlanTest {
  private static final Optional<Mark> MARK = Optional.of(new Mark(".pk-1"));

  private static PoolEdit plan(PoolView view, List<Level> levels, Optional<Mark> mark) {
    return PoolPlan.of(view, DesiredMembers.of(levels, mark));
  }

  /** Of Services that are separated by commas: {@code ?} is unknown, a dot is nothing. */
  private static List<Level> levels(String all) {
    return Pattern.compile(", *").splitAsStream(all).map(PoolPlanTest::level).toList();
  }

  /**
   * What follows {@code keeping} stays. What follows {@code of} are the known nodes of a cluster in
   * which one is not yet known.
   */
  private static Level level(String text) {
    if (text.contains("keeping")) {
      int at = text.indexOf("keeping");
      var kept = members(text.substring(at + "keeping".length())).keySet();
      return new Level.Exactly(
          members(text.substring(0, at)), kept, Optional.empty(), IgnoredEndpoints.NONE);
    }
    if (text.equals("?")) {
      return unknown();
    }
    if (!text.contains("of")) {
      return exactly(text);
    }
    var nodes = members(text.substring(text.indexOf("of") + 2));
    KnownNodes known = PoolFixtures.known(nodes);
    return new Level.Exactly(members(text.substring(0, text.indexOf("of"))), Optional.of(known));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          as wished                      | n4 n5              | n5 n4           | ''
          some missing, some too many    | n4 n5              | n5 n6           | -4 +n6
          empty pool                     | ''                 | n4 n5           | +n4 +n5
          scaled to zero                 | n4 x=9             | ''              | -4 -9
          unknown                        | n4                 | ?               | ''
          one of two unknown             | n4                 | ?, n5           | +n5
          the other of two unknown       | n4                 | n5, ?           | +n5
          none and unknown               | n4                 | ., ?            | ''
          union of two                   | n4 n7              | n4 n5, n5 n6    | -7 +n5 +n6
          network interface beside       | n4 nic-entry       | n5              | ''
          network interface alone        | nic-entry          | ''              | ''
          IPv6 | n4=FD00:0:0::0004 n5=fd00::5 | n4=fd00::4 n6=fd00::6 | -fd00::5 +n6=fd00::6
          under another name             | old=4              | n4              | ''
          mixed case is kept             | ''                 | AKS-Node-0=4    | +AKS-Node-0=4
          node changed its address       | n4                 | n4=44           | -4 +n4=44
          name is taken                  | N5=4               | n4 n5           | +n5-10-0-0-5=5
          its substitute, too            | n5=4 N5-10-0-0-5=6 | n4 n5 n6        | +n5-10-0-0-5-2=5
          two addresses of one name      | ''                 | n4, N4=5        | +n4 +N4-10-0-0-5=5
          address of two nodes           | ''                 | n4, n5=4        | +n4
          unknown node keeps strangers   | n4 n5 stranger=9 =8 | n4 of n4 n5    | -5
          known by name or address       | N5=55 renamed=6    | of n5 n6        | -55 -6
          node to be deleted stays       | n4 n5              | n5 keeping n4   | ''
          node to be deleted, not added  | n5                 | n5 keeping n4   | ''
          the last one to be deleted     | n4 n5              | keeping n4      | -5
          another Service wants it       | ''                 | n4, n5 keeping n4 | +n4 +n5
          one of two waits for a node    | n5 stranger=9      | of n5, .        | -5
          the other of two waits         | n5 stranger=9      | .,  of n5       | -5
          """)
  void of_poolAndLevels_isTheEdit(String what, String pool, String levels, String edit) {
    assertThat(text(plan(pool(pool), levels(levels.replace(".", "")), Optional.empty())))
        .isEqualTo(edit);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          marked entries only | n4.PK-1=4 n5 n6.pk-2=6 | n7 | -4 +n7.pk-1=7 marked.pk-1
          unknown                        | n4.pk-1=4                  | ?           | marked.pk-1
          changed address | n4.pk-1=4 n5.pk-1=5 | n4=9 n5 | -4 +n4.pk-1=9 marked.pk-1
          taken name | n4.pk-1=4 n5.pk-1=5 | n4 n5 N5=6 | +N5-10-0-0-6.pk-1=6 marked.pk-1
          unknown node, name before mark | n4.pk-1=14 nx.pk-1=15 | of n4 | -14 marked.pk-1
          """)
  void of_boundPool_isTheEditOfItsMark(String what, String pool, String level, String edit) {
    assertThat(text(plan(pool(pool), levels(level), MARK))).isEqualTo(edit);
  }

  @Test
  void of_boundPool_foreignEntryOfTheSameAddressStays() {
    PoolView pool = pool("theirs=4 n4.pk-1=4 other=5");

    PoolEdit edit = plan(pool, levels("n5"), MARK);

    assertThat(text(edit)).isEqualTo("-4 marked.pk-1");
    assertThat(pool.with(edit).entries())
        .extracting(PoolEntry::name)
        .containsExactly("theirs", "other");
  }

  @Test
  void of_boundPool_longNodesOfOneBeginning_getNamesOfEightyCharactersOfTheirOwn() {
    String node = "n".repeat(63);
    Optional<Mark> mark = Optional.of(new Mark(".pk-0123456789abcdef"));

    PoolView after = pool("").with(plan(pool(""), levels(node + "1=4 " + node + "2=5"), mark));

    assertThat(after.entries()).hasSize(2).allMatch(entry -> entry.name().length() == 80);
    assertUniqueNames(after);
  }

  @Test
  void of_boundPoolThatLeaves_isAllThatIsMarked_butNothingOfAPoolOfInterfaces() {
    DesiredMembers none = DesiredMembers.none(MARK.orElseThrow());

    assertThat(text(PoolPlan.of(pool("n4.pk-1=4 n5"), none))).isEqualTo("-4 marked.pk-1");
    assertThat(PoolPlan.of(pool("n4.pk-1=4 nic"), none).isEmpty()).isTrue();
    assertThat(plan(pool("n4.pk-1=4 nic"), levels("n5"), MARK).isEmpty()).isTrue();
  }

  @Test
  void feasible_boundPoolWithoutANetwork_removesMarkedEntriesOnly() {
    PoolView pool = PoolFixtures.withoutNetwork("n4.pk-1=4 theirs=4");

    assertThat(text(PoolPlan.feasible(pool, plan(pool, levels("n5"), MARK))))
        .isEqualTo("-4 marked.pk-1");
  }

  @Test
  void of_noServiceAtAll_changesNothing() {
    assertThat(plan(pool("n4"), List.of(), Optional.empty()).isEmpty()).isTrue();
  }

  /** Every pool and every pair of levels over three addresses, by an oracle of sets. */
  @Test
  void of_everySmallPoolAndWish_givesExactlyTheUnion() {
    for (String present : subsets()) {
      for (String web : subsets()) {
        for (String api : subsets()) {
          for (boolean known : new boolean[] {true, false}) {
            PoolView view = pool(present);
            List<Level> levels = List.of(exactly(web), known ? exactly(api) : unknown());
            PoolEdit edit = plan(view, levels, Optional.empty());

            String expected = web + (known ? api : present);
            assertThat(view.with(edit).addresses()).isEqualTo(members(expected).keySet());
            assertThat(edit.remove()).isSubsetOf(view.addresses());
            assertThat(edit.add().keySet()).noneMatch(view.addresses()::contains);
            assertUniqueNames(view.with(edit));
          }
        }
      }
    }
  }

  @Test
  void wish_addressClaimedByTwoNodes_isTheFirstOnes() {
    assertThat(DesiredMembers.of(levels("n4, n5=4"), Optional.empty()).members().values())
        .containsExactly(new NodeKey("n4"));
  }

  private static List<String> subsets() {
    return IntStream.range(0, 8)
        .mapToObj(
            mask ->
                IntStream.range(0, 3)
                    .filter(i -> (mask & 1 << i) != 0)
                    .mapToObj(i -> "n" + (4 + i) + " ")
                    .collect(Collectors.joining()))
        .toList();
  }

  private static void assertUniqueNames(PoolView view) {
    Set<String> names = new TreeSet<>();
    view.entries().forEach(entry -> names.add(entry.name().toLowerCase(Locale.ROOT)));
    assertThat(names).hasSameSizeAs(view.entries());
  }
}
