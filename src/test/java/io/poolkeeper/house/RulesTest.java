package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.FailureReport;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds program and tests against each {@link Arrow} and {@link Ban}, and proves on a wrong little
 * program that each can fail. One class, because its import takes seconds.
 */
class RulesTest {
  private static final String ROOT = "io.poolkeeper";
  private static final String FIXTURE = ROOT + ".house.fixture";
  private static final JavaClasses PROGRAM = load(Path.of("target", "classes"));
  private static final JavaClasses TESTS = load(Path.of("target", "test-classes"));

  @ParameterizedTest
  @EnumSource
  void theProgramKeepsTheArrow(Arrow arrow) {
    arrow.in(ROOT).allowEmptyShould(true).check(PROGRAM);
  }

  @Test
  void theProgramIsWhatWasLoaded() {
    assertThat(PROGRAM.contain("io.poolkeeper.Main")).isTrue();
    assertThat(PROGRAM.contain("io.poolkeeper.model.PoolId")).isTrue();
    assertThat(PROGRAM.contain(RulesTest.class)).isFalse();
  }

  @Test
  void noTwoTypesHaveOneName() {
    assertThat(PROGRAM.stream().filter(JavaClass::isTopLevelClass).map(JavaClass::getSimpleName))
        .filteredOn(name -> !name.equals("package-info"))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void anArrowReportsExactlyTheTypesThatBreakIt(Arrow arrow) {
    // When
    FailureReport report = arrow.in(FIXTURE).evaluate(TESTS).getFailureReport();

    // Then
    assertThat(report.getDetails())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(offenders(arrow)).anyMatch(line::contains));
    assertThat(offenders(arrow))
        .allSatisfy(name -> assertThat(report.getDetails()).anyMatch(line -> line.contains(name)));
    assertThat(report.toString()).as("what to do").contains("because", ": ");
  }

  private static Set<String> offenders(Arrow arrow) {
    return switch (arrow) {
      case MODEL_KNOWS_NOTHING -> Set.of("model.ModelKnowingARoom", "model.ModelKnowingALibrary");
      case CORES_ARE_PURE ->
          Set.of(
              "model.ModelKnowingALibrary",
              "retry.LoggingBackoff",
              "pool.PoolCore",
              "pool.SealedPlan.whom",
              "pool.SealedPlan$Tell");
      case PORTS_SPEAK_OUR_WORDS -> Set.of("pool.PortKnowingAnAdapter");
      case CORES_KNOW_NO_ACTOR -> Set.of("pool.PoolCore", "pool.PlanKnowingWhatTheActorIsGiven");
      case LIMITS_DO_NOT_KNOW_SETTINGS -> Set.of("retry.LimitsKnowingSettings");
      case ROOMS_HAVE_NO_CIRCLE ->
          Set.of(
              "config.Section",
              "retry.LimitsKnowingSettings",
              "cli.RehearseCommand",
              "lab.LabAskingTheTerminal",
              "model.ModelKnowingARoom");
      case STATIC_INITIALIZERS_HAVE_NO_CIRCLE -> Set.of("model.Shape", "model.Shape$Side");
      case ROOMS_DO_NOT_KNOW_THE_PROCESS -> Set.of("service.ServiceActor");
      case ONLY_MAIN_AND_COMMANDS_KNOW_CLI -> Set.of("fixture.Usher", "lab.LabAskingTheTerminal");
      case NOTHING_KNOWS_THE_LAB -> Set.of("ops.Rehearsal", "cli.RehearseCommand");
      case ADAPTERS_ARE_WIRED_IN_PROCESS -> Set.of("pool.ThroughTheBack");
      case ADAPTERS_ARE_WIRED_IN_CONTROLLER -> Set.of("process.PortNamingAnAdapter");
      case LAB_DOES_NOT_KNOW_THE_AZURE_ADAPTER -> Set.of("lab.LabCallingAzure");
      case AZURE_SDK_HAS_ONE_ROOM -> Set.of("ops.AzureOnThePage");
      case KUBERNETES_CLIENT_HAS_ITS_ROOMS ->
          Set.of("ops.NodesOnThePage", "pool.PortKnowingAnAdapter");
      case CLIENT_IS_ONLY_HANDED_OVER -> Set.of("cli.NodeCommand");
      case JUDGE_IS_INDEPENDENT -> Set.of("lab.scenario.Judge", "lab.judge.Wishes");
    };
  }

  @ParameterizedTest
  @EnumSource
  void programAndTestsKeepTheBan(Ban ban) {
    ban.in(ROOT).check(PROGRAM);
    if (ban.inTests) {
      ban.in(ROOT)
          .check(
              TESTS.that(
                  DescribedPredicate.describe(
                      "no fixture", type -> !type.getPackageName().startsWith(FIXTURE))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBanReportsEachFormOfWhatItForbids(Ban ban) {
    FailureReport report = ban.in(FIXTURE).evaluate(TESTS).getFailureReport();

    Set<String> forms =
        switch (ban) {
          case CLOCK_AND_CHANCE ->
              Set.of("Gambler.called", "Gambler.referenced", "Gambler.made", "Gambler.bare");
          case SLEEP -> Set.of("Sleeper.called", "Sleeper.referenced", "Sleeper.unit");
          case SKIPPED_TEST -> Set.of("Skipping.disabled", "Skipping.assumed", "Skipping$Whole");
          case NAMELESS_PACKAGE -> Set.of("util.Odds");
        };
    assertThat(report.getDetails()).allSatisfy(line -> assertThat(forms).anyMatch(line::contains));
    assertThat(forms)
        .allSatisfy(form -> assertThat(report.getDetails()).anyMatch(line -> line.contains(form)));
  }

  @Test
  void inEveryRoom_nullMeansNothing() {
    assertThat(PROGRAM.stream().map(JavaClass::getPackage).distinct())
        .hasSizeGreaterThan(20)
        .allMatch(room -> room.isAnnotatedWith(NullMarked.class));
  }

  private static JavaClasses load(Path classes) {
    // The libraries' classes are not imported: the rules need only their names.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter().importPath(classes);
  }
}
