package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads the project's sources, and proves of each rule that it can fail. */
class SourcesTest {
  private static final List<Source> PROJECT = Source.ofProject();
  private static final Path MAIN = Source.MAIN.resolve("io/poolkeeper/x/X.java");
  private static final Path TEST = Source.TEST.resolve("io/poolkeeper/x/XTest.java");

  @ParameterizedTest
  @EnumSource
  void everySourceOfTheProjectKeepsTheRule(SourceRule rule) {
    assertThat(PROJECT).hasSizeGreaterThan(20).anyMatch(source -> !source.main());
    assertThat(PROJECT.stream().flatMap(source -> rule.problems(source).stream())).isEmpty();
  }

  @Test
  void everyRoomSaysWhatItIsAndThatNullMeansNothing() {
    assertThat(PROJECT.stream().filter(Source::main).map(Source::path).map(Path::getParent))
        .allSatisfy(
            room ->
                assertThat(room.resolve("package-info.java"))
                    .as("%s needs a package-info.java with a doc and @NullMarked", room)
                    .matches(Files::isRegularFile));
  }

  @Test
  void fileLength_oneLineTooMany_isReported() {
    assertThat(fileOf(MAIN, SourceRule.FILE_LINES)).isEmpty();
    assertThat(fileOf(TEST, SourceRule.FILE_LINES)).isEmpty();
    assertThat(fileOf(MAIN, SourceRule.FILE_LINES + 1))
        .singleElement()
        .asString()
        .contains("X.java has 401 lines, at most 400", "split it by concept");
    assertThat(fileOf(TEST, SourceRule.FILE_LINES + 1)).hasSize(1);
  }

  @Test
  void methodLength_oneLineTooMany_isReportedWhateverItsForm() {
    String limit = lines(SourceRule.METHOD_LINES - 2);
    String more = lines(SourceRule.METHOD_LINES - 1);
    String source =
        """
        package io.poolkeeper.x;
        record X(int a) {
          static {
        %s  }
          X {
        %s  }
          void text() {
            String braces = \"""
                } } {
                \""";
        %s  }
          Runnable lambda() { return () -> {
        %s  }; }
          void fits() {
        %s  }
        }
        """
            .formatted(more, more, lines(SourceRule.METHOD_LINES - 4), more, limit);
    assertThat(problems(SourceRule.METHOD_LENGTH, MAIN, source))
        .hasSize(4)
        .allMatch(problem -> problem.contains("has 61 lines, at most 60"))
        .satisfiesExactlyInAnyOrder(
            problem -> assertThat(problem).contains("X.java:3 initialiser of X"),
            problem -> assertThat(problem).contains("<init>"),
            problem -> assertThat(problem).contains(" text "),
            problem -> assertThat(problem).contains(" lambda ", "extract its steps"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Instant.now()",
        "java.time.Instant.now()",
        "Stream.generate(Instant::now)",
        "OffsetDateTime.now()",
        "System.nanoTime()",
        "read(System::nanoTime)",
        "System.currentTimeMillis()",
        "Clock.systemUTC()",
        "InstantSource.system()",
        "Math.random()",
        "new Random()",
        "new Random(7)",
        "new java.util.Random(7)",
        "make(Random::new)",
        "new SplittableRandom()",
        "RandomGenerator.getDefault()",
        "UUID.randomUUID()",
        "ThreadLocalRandom.current()",
        "new SecureRandom()"
      })
  void entropy_anywhereElse_isReported(String expression) {
    String source = method("return " + expression + ";");
    assertThat(problems(SourceRule.ENTROPY, MAIN, source))
        .isNotEmpty()
        .allMatch(problem -> problem.contains("X.java:4 uses "))
        .allMatch(problem -> problem.endsWith("as argument; only Entropy makes them"));
    assertThat(problems(SourceRule.ENTROPY, TEST, source)).isEmpty();
    assertThat(problems(SourceRule.ENTROPY, SourceRule.ENTROPY_FILE, source)).isEmpty();
  }

  @Test
  void entropy_staticImport_isReported() {
    String source = "package x; import static java.lang.System.nanoTime; class X {}";
    assertThat(problems(SourceRule.ENTROPY, MAIN, source)).hasSize(1);
  }

  @Test
  void entropy_inCommentsStringsAndArguments_isNone() {
    String source = method("/* Instant.now() */ return clock.now() + \"new Random()\";");
    assertThat(problems(SourceRule.ENTROPY, MAIN, source)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Thread.sleep(1)", "TimeUnit.SECONDS.sleep(1)", "run(Thread::sleep)"})
  void noSleep_inProgramOrTest_isReported(String expression) {
    for (Path path : List.of(MAIN, TEST)) {
      assertThat(problems(SourceRule.NO_SLEEP, path, method(expression + ";")))
          .singleElement()
          .asString()
          .contains(".java:4 uses ", "Awaitility");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Disabled class X {}",
        "@org.junit.jupiter.api.Disabled(\"later\") class X {}",
        "class X { @EnabledIf(\"slow\") void a() {} }",
        "class X { @EnabledIfEnvironmentVariable void a() {} }",
        "class X { @DisabledIfSystemProperty void a() {} }",
        "class X { @DisabledOnOs void a() {} }",
        "class X { void a() { assumeTrue(false); } }",
        "class X { void a() { Assumptions.abort(); } }",
        "class X { void a() { org.assertj.core.api.Assumptions.assumeThat(1); } }",
        "class X { void a() { assumingThat(false, () -> {}); } }"
      })
  void noSkippedTest_anyFormOfIt_isReported(String source) {
    assertThat(problems(SourceRule.NO_SKIPPED_TEST, TEST, "package x; " + source))
        .isNotEmpty()
        .allMatch(problem -> problem.contains("fix the test or delete it"));
    assertThat(problems(SourceRule.NO_SKIPPED_TEST, MAIN, "package x; " + source)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"util", "impl", "manager", "helper", "utils", "helpers", "managers"})
  void packageName_namingNoConcept_isReported(String name) {
    String source = "package io.poolkeeper.%s.inner; class X {}".formatted(name);
    assertThat(problems(SourceRule.PACKAGE_NAME, MAIN, source))
        .singleElement()
        .asString()
        .contains("called " + name, "name it after the concept");
    assertThat(problems(SourceRule.PACKAGE_NAME, MAIN, "package a.utility; class X {}")).isEmpty();
  }

  @Test
  void nullMarked_missing_isReported() {
    Path info = MAIN.resolveSibling("package-info.java");
    assertThat(problems(SourceRule.NULL_MARKED, info, "/** @NullMarked */ package x;"))
        .singleElement()
        .asString()
        .contains("lacks @NullMarked: add it");
    assertThat(problems(SourceRule.NULL_MARKED, info, "@NullMarked package x;")).isEmpty();
    assertThat(problems(SourceRule.NULL_MARKED, info, "@org.x.NullMarked package x;")).isEmpty();
  }

  private static List<String> fileOf(Path path, int lines) {
    String text = "package x;\n" + lines(lines - 1);
    return problems(SourceRule.FILE_LENGTH, path, text);
  }

  private static List<String> problems(SourceRule rule, Path path, String text) {
    return rule.problems(Source.of(path, text));
  }

  private static String method(String statement) {
    return "package io.poolkeeper.x;\nclass X {\n  Object x(InstantSource clock) {\n    %s\n  }\n}\n"
        .formatted(statement);
  }

  private static String lines(int count) {
    return Stream.generate(() -> ";\n").limit(count).collect(Collectors.joining());
  }
}
