package io.poolkeeper.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.util.Set;

/** What no class may use or be named, by call, method reference or annotation. */
enum Ban {
  /** Time and randomness are arguments, so that tests can choose them. */
  CLOCK_AND_CHANCE(false) {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(resideInAPackage(root + "..").and(named(root + ".process.Entropy").negate()))
          .should()
          .accessTargetWhere(describe("a clock or chance", Ban::isClockOrChance))
          .as("only Entropy should make clocks and randomness")
          .because("tests choose them: take an InstantSource or RandomGenerator as an argument");
    }
  },
  /** A test that sleeps is slow on a fast machine and fails on a slow one. */
  SLEEP(true) {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(resideInAPackage(root + ".."))
          .should()
          .accessTargetWhere(describe("sleep", access -> SLEEP_CALLS.contains(target(access))))
          .as("nothing should sleep")
          .because("there is better: a timer in the program, Awaitility or a latch in a test");
    }
  },
  /** A test runs or does not exist. */
  SKIPPED_TEST(true) {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(resideInAPackage(root + ".."))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.junit..", "org.assertj..", "org.opentest4j..")
                  .and(describe("that skip", type -> type.getSimpleName().matches(SKIPPING))))
          .as("no test should be skipped")
          .because(
              "it runs or goes: a test for a tool that may be missing has a tag and a profile");
    }
  },
  /** A room is named after its concept, not after a kind of code. */
  NAMELESS_PACKAGE(true) {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(resideInAPackage(root + ".."))
          .should(
              ArchConditions.resideInAnyPackage(
                  "..util..", "..utils..", "..impl..", "..manager..", "..helper..", "..helpers.."))
          .as("no package should be named after a kind of code")
          .because("readers look for a concept: name it after the one that it serves");
    }
  };

  private static final Set<String> CALLS =
      Set.of(
          "Instant.now",
          "LocalDate.now",
          "LocalTime.now",
          "LocalDateTime.now",
          "OffsetDateTime.now",
          "ZonedDateTime.now",
          "InstantSource.system",
          "System.nanoTime",
          "System.currentTimeMillis",
          "Math.random",
          "Random.<init>",
          "SecureRandom.<init>",
          "SecureRandom.getInstanceStrong",
          "RandomGenerator.getDefault",
          "RandomGenerator.of",
          "ThreadLocalRandom.current",
          "UUID.randomUUID");

  /** With a seed or a time they say the same each time. */
  private static final Set<String> CALLS_WITHOUT_ARGUMENT =
      Set.of("Date.<init>", "SplittableRandom.<init>");

  private static final Set<String> SLEEP_CALLS =
      Set.of("Thread.sleep", "TimeUnit.sleep", "LockSupport.parkNanos", "LockSupport.parkUntil");
  private static final String SKIPPING =
      "(Disabled|Enabled(If|On|For)).*|Ignore|Assum(e|ptions)|TestAbortedException";

  /** Whether tests keep it, too. */
  final boolean inTests;

  Ban(boolean inTests) {
    this.inTests = inTests;
  }

  /** The rule for a program with the outermost package {@code root}. */
  abstract ArchRule in(String root);

  private static boolean isClockOrChance(JavaAccess<?> access) {
    String name = target(access);
    boolean bare =
        access.getTarget() instanceof CodeUnitAccessTarget called
            && called.getRawParameterTypes().isEmpty();
    return CALLS.contains(name)
        || name.startsWith("Clock.system")
        || (bare && CALLS_WITHOUT_ARGUMENT.contains(name));
  }

  private static String target(JavaAccess<?> access) {
    return access.getTargetOwner().getSimpleName() + "." + access.getName();
  }

  private static DescribedPredicate<JavaClass> named(String name) {
    return describe(name, type -> type.getFullName().equals(name));
  }
}
