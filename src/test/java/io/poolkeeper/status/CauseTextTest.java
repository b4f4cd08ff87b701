package io.poolkeeper.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.Bucket;
import io.poolkeeper.service.CacheKind;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each cause has all of its words, and no word is of no cause. */
class CauseTextTest {
  private static final MissingRight RIGHT =
      new MissingRight(MissingRight.WRITE, Pools.EDGE.path(), "app-1", "oid-1");

  static Stream<Cause> causes() {
    return Stream.of(
        new Cause.Throttled(Optional.empty()),
        new Cause.Queued(Optional.of(Pools.EDGE)),
        new Cause.Batching(),
        new Cause.Writing(),
        new Cause.LeaseHeld("", ""),
        new Cause.LeaseHeld("ccm", ""),
        new Cause.LeaseHeld("", "403: forbidden"),
        new Cause.Refused(RIGHT),
        new Cause.ResourceLock("/subscriptions/s/resourceGroups/rg"),
        new Cause.ResourceLock(""),
        new Cause.PolicyDenies("Deny pools"),
        new Cause.PolicyDenies(""),
        new Cause.LockedGroup("aks"),
        new Cause.Failing(400, "BadRequest"),
        new Cause.Contested(Pools.EDGE),
        new Cause.HeldByCheck("freeze says Retry"),
        new Cause.Braked(),
        new Cause.Paused(),
        new Cause.NotManaged("its Service says so"),
        new Cause.Settling(Pools.EDGE),
        new Cause.RetryBudgetEmpty(),
        new Cause.TokensEmpty(Bucket.READS),
        new Cause.SignInFailing(),
        new Cause.AzureUnreachable(),
        new Cause.ListingFailing(List.of(), 500, ""),
        new Cause.NodeWithoutAddress(),
        new Cause.NoEndpointSlice(),
        Cause.WatchLost.of(Set.of(CacheKind.values())),
        new Cause.NotLeading(),
        new Cause.NoLeader(),
        new Cause.Starting(),
        new Cause.WouldWrite(),
        new Cause.PreemptionsPaused(List.of(node(1))),
        new Cause.PreemptionsWaiting(IntStream.range(1, 6).mapToObj(CauseTextTest::node).toList()),
        new Cause.LeftAlone("its members are interfaces"),
        new Cause.Unreadable(List.of(Pools.EDGE), "HTTP 200 answer: id is of type NUMBER", true),
        new Cause.WithoutPool(List.of(new ServiceKey("shop", "web")), List.of(Pools.EDGE)),
        new Cause.WithoutPool(List.of(new ServiceKey("shop", "web")), List.of()));
  }

  @Test
  void causes_areAllThatThereAre() {
    assertThat(causes().map(Object::getClass).distinct())
        .containsExactlyInAnyOrderElementsOf(
            List.copyOf(Arrays.asList(Cause.class.getPermittedSubclasses())));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void of_anyCause_saysWhatItIsAndWhatToDo(Cause cause) {
    CauseText text = CauseText.of(cause);

    assertThat(text.title()).isNotBlank().doesNotEndWith(".").doesNotContain("{");
    assertThat(text.because()).isNotBlank().doesNotEndWith(".").doesNotContain("{");
    assertThat(text.todo()).isNotBlank().endsWith(".").doesNotContain("{");
    assertThat(text.more()).doesNotContain("{");
    assertThat(text.alert()).matches("|Poolkeeper[A-Za-z]+");
    assertThat(text.alert().isEmpty() && cause.tone() == Tone.NEED)
        .as("what needs a person has an alert")
        .isFalse();
  }

  private static NodeKey node(int number) {
    return new NodeKey("n" + number);
  }

  @Test
  void of_manyNodes_namesThreeOfThem() {
    List<NodeKey> nodes = IntStream.range(1, 6).mapToObj(CauseTextTest::node).toList();

    assertThat(CauseText.of(new Cause.PreemptionsWaiting(nodes)).title())
        .contains("of n1, n2, n3 and 2 more,");
    assertThat(CauseText.of(new Cause.PreemptionsWaiting(nodes.subList(0, 3))).title())
        .contains("of n1, n2, n3,");
  }

  @Test
  void words_areOfCausesOnly() throws IOException {
    Properties words = new Properties();
    try (var in =
        new InputStreamReader(
            Objects.requireNonNull(CauseText.class.getResourceAsStream("causes.properties")),
            StandardCharsets.UTF_8)) {
      words.load(in);
    }
    Set<String> keys = causes().map(Cause::key).collect(Collectors.toSet());

    assertThat(words.stringPropertyNames())
        .allMatch(
            name ->
                keys.contains(name.substring(0, name.indexOf('.')))
                    && Set.of("title", "because", "todo", "more", "until", "alert")
                        .contains(name.substring(name.indexOf('.') + 1)));
  }

  @Test
  void fix_ofAMissingRight_grantsItToWhomAzureNames() {
    assertThat(Fix.of(new Cause.Refused(RIGHT), Pools.SELF).getFirst().command())
        .contains("--assignee-object-id oid-1 ", "--scope " + Pools.EDGE.path());
    assertThat(
            Fix.of(new Cause.Refused(new MissingRight("a", "", "", "")), Pools.SELF)
                .getFirst()
                .command())
        .contains("OBJECT_ID", "SCOPE");
  }

  @Test
  void of_aDenyAssignment_saysThatNotAksAloneSetsThem() {
    Cause stack = new Cause.LockedGroup("Deny assignment of deployment stack net");

    assertThat(CauseText.of(stack).more()).contains("deployment stack", "managed application");
    assertThat(Fix.of(stack, Pools.SELF).getFirst().text()).contains("If AKS has set it");
  }

  @Test
  void fix_withAScopeThatIsTextForAShell_isQuoted() {
    MissingRight forged = new MissingRight("a", "/x/$(reboot)'", "", "`id`");

    assertThat(Fix.of(new Cause.Refused(forged), Pools.SELF))
        .extracting(Fix::command)
        .allSatisfy(
            command -> assertThat(command).contains(" '`id`' ", "--scope '/x/$(reboot)'\\'''"));
  }

  @Test
  void fix_ofAPause_endsIt() {
    assertThat(Fix.of(new Cause.Paused(), Pools.SELF))
        .extracting(Fix::command)
        .containsExactly(
            "kubectl -n poolkeeper annotate lease poolkeeper-leader poolkeeper.io/paused-until- poolkeeper.io/paused-reason- poolkeeper.io/paused-drains-");
  }
}
