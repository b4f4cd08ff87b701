package io.poolkeeper.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Manage;
import io.poolkeeper.service.Scope.Owner;
import io.poolkeeper.service.Scope.Ties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All that an annotation, a label and the rules of a pool can say together. */
class ScopeTest {
  private static final List<String> WORDS = List.of("", "true", "false", "False");

  private static Manage manage(String word) {
    return word.isEmpty() ? Manage.ABSENT : new Manage(Optional.of(word));
  }

  private static Owner owner(String annotation, String label) {
    return new Owner(ServiceFixtures.key("shop/web"), manage(annotation), manage(label));
  }

  /** One of each kind. */
  private static List<Owner> owners() {
    return List.of(owner("", ""), owner("true", ""), owner("false", ""));
  }

  private static List<Ties> allTies() {
    List<List<Owner>> lists = new ArrayList<>(List.of(List.of()));
    for (Owner one : owners()) {
      lists.add(List.of(one));
      owners().forEach(other -> lists.add(List.of(one, other)));
    }
    List<Optional<Owner>> bindings = new ArrayList<>(List.of(Optional.empty()));
    owners().forEach(owner -> bindings.add(Optional.of(owner)));
    List<Ties> all = new ArrayList<>();
    for (List<Owner> list : lists) {
      for (Optional<Owner> bound : bindings) {
        for (boolean shared : List.of(true, false)) {
          all.add(new Ties(shared, list, true, bound));
          all.add(new Ties(shared, list, false, bound));
        }
      }
    }
    return all;
  }

  private static Scope scope(boolean optIn) {
    return new Scope(ServiceFixtures.NAMES, optIn);
  }

  /** Whether the Service of its binding refuses, or without a binding all owners do. */
  private static boolean refused(Ties ties) {
    return ties.bound()
        .map(ScopeTest::refuses)
        .orElse(
            !ties.shared()
                && !ties.owners().isEmpty()
                && ties.owners().stream().allMatch(ScopeTest::refuses));
  }

  private static boolean refuses(Owner owner) {
    return owner.says().equals(Optional.of(false));
  }

  private static boolean marked(Owner owner) {
    return owner.says().equals(Optional.of(true));
  }

  @Test
  void out_inGeneral_isEveryPoolWhoseServicesAllRefuse() {
    assertThat(allTies()).hasSize(13 * 4 * 4);
    for (Ties ties : allTies()) {
      assertThat(scope(false).out(ties).isPresent()).as("%s", ties).isEqualTo(refused(ties));
    }
  }

  @Test
  void out_withOptIn_isEveryPoolButThoseOfOneMarkedServiceAlone() {
    for (Ties ties : allTies()) {
      boolean alone =
          !ties.shared()
              && !ties.others()
              && ties.owners().size() == 1
              && marked(ties.owners().getFirst());
      boolean touched = !refused(ties) && ties.bound().map(ScopeTest::marked).orElse(alone);
      assertThat(scope(true).out(ties).isEmpty()).as("%s", ties).isEqualTo(touched);
    }
  }

  @Test
  void says_annotationAndLabel_theAnnotationWinsAndABadOneCountsAsNone() {
    Map<String, Optional<Boolean>> meaning =
        Map.of("true", Optional.of(true), "false", Optional.of(false));
    for (String annotation : WORDS) {
      for (String label : WORDS) {
        Optional<Boolean> own = meaning.getOrDefault(annotation, Optional.empty());
        assertThat(owner(annotation, label).says())
            .as("%s, %s", annotation, label)
            .isEqualTo(own.or(() -> meaning.getOrDefault(label, Optional.empty())));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void out_refusedByTheLabel_saysWhichNamespace(boolean optIn) {
    Ties ties = new Ties(false, List.of(owner("nonsense", "false")), false, Optional.empty());

    assertThat(scope(optIn).out(ties))
        .contains("the label poolkeeper.io/manage of the Namespace shop is \"false\"");
  }
}
