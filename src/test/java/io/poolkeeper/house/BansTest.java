package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.FailureReport;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks program and tests, and proves on a wrong little program that each rule can fail. */
class BansTest {
  private static final String ROOT = "io.poolkeeper";
  private static final String FIXTURE = ROOT + ".house.fixture";
  private static final JavaClasses PROGRAM = ArrowsTest.load(Path.of("target", "classes"));
  private static final JavaClasses TESTS = ArrowsTest.load(Path.of("target", "test-classes"));

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
}
