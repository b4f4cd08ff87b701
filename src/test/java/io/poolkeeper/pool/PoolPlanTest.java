package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.addresses;
import static io.poolkeeper.pool.PoolFixtures.edit;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static io.poolkeeper.pool.PoolFixtures.members;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A fresh GET times the desired gives the edit, and nothing but what the desired says. */
class PoolPlanTest {
  private static PoolEdit plan(PoolView view, Level... levels) {
    return PoolPlan.of(view, DesiredMembers.of(List.of(levels), Optional.empty()));
  }

  /** A level of a Service that waits for a node, in a cluster of these nodes. */
  private static Level waiting(NavigableMap<Address, NodeKey> members, String... known) {
    NavigableMap<Address, NodeKey> nodes = members(known);
    KnownNodes all = new KnownNodes(Set.copyOf(nodes.values()), Set.copyOf(nodes.keySet()));
    return new Level.Exactly(members, Optional.of(all));
  }

  private static final Mark MARK = new Mark(".pk-0123456789abcdef");

  /** In a pool that is bound. */
  private static PoolEdit bound(PoolView view, Level level) {
    return PoolPlan.of(view, DesiredMembers.of(List.of(level), Optional.of(MARK)));
  }

  private static PoolEdit marked(Set<String> remove, Map<Address, String> add) {
    return PoolEdit.of(addresses(remove.toArray(String[]::new)), add, Optional.of(MARK));
  }

  @Test
  void of_boundPool_removesMarkedEntriesOnly_andAddsMarkedOnes() {
    PoolView pool =
        pool("n4.PK-0123456789ABCDEF=10.0.0.4", "n5=10.0.0.5", "n6.pk-fedcba9876543210=10.0.0.6");

    PoolEdit edit = bound(pool, exactly("n7=10.0.0.7"));

    assertThat(edit)
        .isEqualTo(
            marked(Set.of("10.0.0.4"), Map.of(Address.of("10.0.0.7"), "n7.pk-0123456789abcdef")));
    assertThat(bound(pool, unknown()).isEmpty()).isTrue();
  }

  @Test
  void of_boundPool_foreignEntryOfTheSameAddressStays_andIsNotAddedToUs() {
    PoolView pool = pool("theirs=10.0.0.4", "n4.pk-0123456789abcdef=10.0.0.4", "other=10.0.0.5");

    PoolEdit edit = bound(pool, exactly("n5=10.0.0.5"));

    assertThat(edit).isEqualTo(marked(Set.of("10.0.0.4"), Map.of()));
    assertThat(pool.with(edit).entries())
        .extracting(PoolEntry::name)
        .containsExactly("theirs", "other");
  }

  @Test
  void of_boundPool_changedAddressIsARemovalAndAnAddition_underATakenNameWithTheAddress() {
    PoolView pool = pool("n4.pk-0123456789abcdef=10.0.0.4", "n5.pk-0123456789abcdef=10.0.0.5");

    assertThat(bound(pool, exactly("n4=10.0.0.9", "n5=10.0.0.5")))
        .isEqualTo(
            marked(Set.of("10.0.0.4"), Map.of(Address.of("10.0.0.9"), "n4.pk-0123456789abcdef")));
    assertThat(bound(pool, exactly("n4=10.0.0.4", "n5=10.0.0.5", "N5=10.0.0.6")))
        .isEqualTo(
            marked(Set.of(), Map.of(Address.of("10.0.0.6"), "N5-10-0-0-6.pk-0123456789abcdef")));
  }

  @Test
  void of_boundPool_whileANodeIsUnknown_removesEntriesOfKnownNodesByTheNameBeforeTheMark() {
    PoolView pool = pool("n4.pk-0123456789abcdef=10.0.0.14", "nx.pk-0123456789abcdef=10.0.0.15");

    assertThat(bound(pool, waiting(members(), "n4=10.0.0.4")))
        .isEqualTo(marked(Set.of("10.0.0.14"), Map.of()));
  }

  @Test
  void of_boundPool_longNodesOfOneBeginning_getNamesOfEightyCharactersOfTheirOwn() {
    String node = "n".repeat(63);

    PoolView after = pool().with(bound(pool(), exactly(node + "1=10.0.0.4", node + "2=10.0.0.5")));

    assertThat(after.entries()).hasSize(2).allMatch(entry -> entry.name().length() == 80);
    assertUniqueNames(after);
  }

  @Test
  void of_boundPoolThatLeaves_isAllThatIsMarked_butNothingOfAPoolOfInterfaces() {
    String ours = "n4.pk-0123456789abcdef=10.0.0.4";
    DesiredMembers none = DesiredMembers.none(MARK);

    assertThat(PoolPlan.of(pool(ours, "n5=10.0.0.5"), none))
        .isEqualTo(marked(Set.of("10.0.0.4"), Map.of()));
    assertThat(PoolPlan.of(pool(ours, "nic"), none).isEmpty()).isTrue();
    assertThat(bound(pool(ours, "nic"), exactly("n5=10.0.0.5")).isEmpty()).isTrue();
  }

  @Test
  void feasible_boundPoolWithoutANetwork_removesMarkedEntriesOnly() {
    PoolView pool =
        PoolFixtures.withoutNetwork("n4.pk-0123456789abcdef=10.0.0.4", "theirs=10.0.0.4");

    assertThat(PoolPlan.feasible(pool, bound(pool, exactly("n5=10.0.0.5"))))
        .isEqualTo(marked(Set.of("10.0.0.4"), Map.of()));
  }

  @Test
  void of_poolAsWished_isEmpty() {
    PoolEdit edit = plan(pool("n4=10.0.0.4", "n5=10.0.0.5"), exactly("n5=10.0.0.5", "n4=10.0.0.4"));

    assertThat(edit.isEmpty()).isTrue();
  }

  @Test
  void of_someMissingSomeTooMany_addsAndRemoves() {
    PoolEdit edit = plan(pool("n4=10.0.0.4", "n5=10.0.0.5"), exactly("n5=10.0.0.5", "n6=10.0.0.6"));

    assertThat(edit).isEqualTo(edit("-10.0.0.4", "+n6=10.0.0.6"));
  }

  @Test
  void of_emptyPool_addsEverything() {
    assertThat(plan(pool(), exactly("n4=10.0.0.4", "n5=10.0.0.5")))
        .isEqualTo(edit("+n4=10.0.0.4", "+n5=10.0.0.5"));
  }

  @Test
  void of_scaledToZero_emptiesThePool() {
    assertThat(plan(pool("n4=10.0.0.4", "x=10.0.0.9"), exactly()))
        .isEqualTo(edit("-10.0.0.4", "-10.0.0.9"));
  }

  @Test
  void of_noServiceAtAll_changesNothing() {
    assertThat(plan(pool("n4=10.0.0.4")).isEmpty()).isTrue();
  }

  @Test
  void of_unknown_changesNothing() {
    assertThat(plan(pool("n4=10.0.0.4"), unknown()).isEmpty()).isTrue();
  }

  @Test
  void of_oneOfTwoUnknown_addsButNeverRemoves() {
    assertThat(plan(pool("n4=10.0.0.4"), unknown(), exactly("n5=10.0.0.5")))
        .isEqualTo(edit("+n5=10.0.0.5"));
    assertThat(plan(pool("n4=10.0.0.4"), exactly("n5=10.0.0.5"), unknown()))
        .isEqualTo(edit("+n5=10.0.0.5"));
    assertThat(plan(pool("n4=10.0.0.4"), exactly(), unknown()).isEmpty()).isTrue();
  }

  @Test
  void of_twoServicesShareThePool_isTheUnion() {
    Level web = exactly("n4=10.0.0.4", "n5=10.0.0.5");
    Level api = exactly("n5=10.0.0.5", "n6=10.0.0.6");

    assertThat(plan(pool("n4=10.0.0.4", "n7=10.0.0.7"), web, api))
        .isEqualTo(edit("-10.0.0.7", "+n5=10.0.0.5", "+n6=10.0.0.6"));
  }

  @Test
  void of_entryTiedToANetworkInterface_leavesThePoolAlone() {
    assertThat(plan(pool("n4=10.0.0.4", "nic-entry"), exactly("n5=10.0.0.5")).isEmpty()).isTrue();
    assertThat(plan(pool("nic-entry"), exactly()).isEmpty()).isTrue();
  }

  @Test
  void of_ipv6InAnotherSpelling_isTheSameAddress() {
    PoolView view = pool("n4=FD00:0:0::0004", "n5=fd00::5");

    assertThat(plan(view, exactly("n4=fd00::4", "n6=fd00::6")))
        .isEqualTo(edit("-fd00::5", "+n6=fd00::6"));
  }

  @Test
  void of_wishedAddressUnderAnotherName_staysUnderThatName() {
    assertThat(plan(pool("old=10.0.0.4"), exactly("n4=10.0.0.4")).isEmpty()).isTrue();
  }

  @Test
  void of_nodeInMixedCase_keepsItsCase() {
    assertThat(plan(pool(), exactly("AKS-Node-0=10.0.0.4")))
        .isEqualTo(edit("+AKS-Node-0=10.0.0.4"));
  }

  @Test
  void of_nodeChangedItsAddress_takesItsNameOver() {
    assertThat(plan(pool("n4=10.0.0.4"), exactly("n4=10.0.0.44")))
        .isEqualTo(edit("-10.0.0.4", "+n4=10.0.0.44"));
  }

  @Test
  void of_nameTakenByAnEntryThatStays_getsTheAddressAppended() {
    PoolView view = pool("N5=10.0.0.4");

    assertThat(plan(view, exactly("n4=10.0.0.4", "n5=10.0.0.5")))
        .isEqualTo(edit("+n5-10-0-0-5=10.0.0.5"));
  }

  @Test
  void of_twoAddressesOfOneNodeName_getTwoNames() {
    assertThat(plan(pool(), exactly("n4=10.0.0.4"), exactly("N4=10.0.0.5")))
        .isEqualTo(edit("+n4=10.0.0.4", "+N4-10-0-0-5=10.0.0.5"));
  }

  @Test
  void of_nodeMissing_keepsEntriesOfUnknownNodesOnly() {
    PoolView view = pool("n4=10.0.0.4", "n5=10.0.0.5", "stranger=10.0.0.9", "=10.0.0.8");
    Level level = waiting(members("n4=10.0.0.4"), "n4=10.0.0.4", "n5=10.0.0.5");

    assertThat(plan(view, level)).isEqualTo(edit("-10.0.0.5"));
  }

  @Test
  void of_nodeMissing_removesAKnownNodesEntryByNameOrByAddress() {
    PoolView view = pool("N5=10.0.0.55", "renamed=10.0.0.6");
    Level level = waiting(members(), "n5=10.0.0.5", "n6=10.0.0.6");

    assertThat(plan(view, level)).isEqualTo(edit("-10.0.0.55", "-10.0.0.6"));
  }

  @Test
  void of_onlyOneOfTwoWaitsForANode_strangersStayAllTheSame() {
    PoolView view = pool("n5=10.0.0.5", "stranger=10.0.0.9");
    Level web = waiting(members(), "n5=10.0.0.5");

    assertThat(plan(view, web, exactly())).isEqualTo(edit("-10.0.0.5"));
    assertThat(plan(view, exactly(), web)).isEqualTo(edit("-10.0.0.5"));
  }

  /** Every pool and every pair of levels over three addresses, by an oracle of sets. */
  @Test
  void of_everySmallPoolAndWish_givesExactlyTheUnion() {
    List<String> nodes = List.of("n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6");
    for (String[] present : subsets(nodes)) {
      for (String[] web : subsets(nodes)) {
        for (String[] api : subsets(nodes)) {
          for (boolean known : new boolean[] {true, false}) {
            PoolView view = pool(present);
            PoolEdit edit = plan(view, exactly(web), known ? exactly(api) : unknown());

            Set<String> expected = new HashSet<>(List.of(web));
            expected.addAll(known ? List.of(api) : List.of(present));
            assertThat(view.with(edit).addresses())
                .isEqualTo(members(expected.toArray(String[]::new)).keySet());
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
    DesiredMembers desired =
        DesiredMembers.of(
            List.of(exactly("n4=10.0.0.4"), exactly("n5=10.0.0.4")), Optional.empty());

    assertThat(desired.members()).containsOnlyKeys(addresses("10.0.0.4"));
    assertThat(desired.members().firstEntry().getValue()).isEqualTo(new NodeKey("n4"));
  }

  private static List<String[]> subsets(List<String> all) {
    List<String[]> subsets = new ArrayList<>();
    for (int mask = 0; mask < 1 << all.size(); mask++) {
      List<String> subset = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        if ((mask & 1 << i) != 0) {
          subset.add(all.get(i));
        }
      }
      subsets.add(subset.toArray(String[]::new));
    }
    return subsets;
  }

  static void assertUniqueNames(PoolView view) {
    Set<String> names =
        view.entries().stream()
            .map(PoolEntry::name)
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    assertThat(names).hasSameSizeAs(view.entries());
  }

  @Test
  void of_nameAndItsSubstituteTaken_getsANumberAppended() {
    PoolView view = pool("n5=10.0.0.4", "N5-10-0-0-5=10.0.0.6");

    assertThat(plan(view, exactly("n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6")))
        .isEqualTo(edit("+n5-10-0-0-5-2=10.0.0.5"));
  }
}
