package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The content of the image, started like the image: its directory is laid out as in the Dockerfile,
 * from the packaged build.
 */
class ImageIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final String HOME = "/opt/poolkeeper";
  private static final Pattern ENTRYPOINT =
      Pattern.compile("^ENTRYPOINT (\\[.*?])$", Pattern.DOTALL | Pattern.MULTILINE);

  @TempDir private Path directory;

  @AfterEach
  void unlink() throws IOException {
    Files.deleteIfExists(directory.resolve("image/lib"));
    Files.deleteIfExists(directory.resolve("image/lab-lib"));
  }

  private static Path mainJar() throws IOException {
    try (Stream<Path> files = Files.list(TARGET)) {
      return files
          .filter(file -> file.getFileName().toString().matches("poolkeeper-[0-9].*\\.jar"))
          .filter(file -> !file.toString().endsWith("-lab.jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Path labJar() throws IOException {
    return Path.of(mainJar().toString().replaceAll("\\.jar$", "-lab.jar"));
  }

  /** The image's command, with its directory below the one of this test, and without its cache. */
  private List<String> controller() throws Exception {
    Path home = Files.createDirectories(directory.resolve("image"));
    Files.copy(mainJar(), home.resolve("poolkeeper.jar"));
    Files.createSymbolicLink(home.resolve("lib"), TARGET.resolve("lib"));
    Files.writeString(
        home.resolve("controller"),
        Files.readString(Path.of("deploy", "image", "controller"))
            .replaceAll("-XX:AOTCache=\\S+", "")
            .replace(HOME, home.toString()));
    return entrypoint("program");
  }

  private List<String> lab() throws Exception {
    controller();
    Files.copy(labJar(), directory.resolve("image/poolkeeper-lab.jar"));
    Files.createSymbolicLink(directory.resolve("image/lab-lib"), TARGET.resolve("lab-lib"));
    return entrypoint("lab");
  }

  /** That of a stage of the Dockerfile, in this test's directory. */
  private List<String> entrypoint(String stage) throws IOException {
    String from = Files.readString(Path.of("Dockerfile")).split(" AS " + stage + "\n", 2)[1];
    Matcher found = ENTRYPOINT.matcher(from);
    assertThat(found.find()).isTrue();
    String[] command =
        new ObjectMapper().readValue(found.group(1).replace("\\\n", " "), String[].class);
    assertThat(command[0]).isEqualTo(HOME + "/runtime/bin/java");
    command[0] = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String home = directory.resolve("image").toString();
    return Arrays.stream(command).map(word -> word.replace(HOME, home)).toList();
  }

  @Test
  void theControllerChecksItsConfiguration() throws Exception {
    Path edited =
        Files.writeString(
            directory.resolve("my.conf"),
            Files.readString(Path.of("conf", "poolkeeper.conf"))
                .replace("00000000-0000-0000-0000-000000000000", "subscription-of-mine"));

    Program check = Program.run(directory, controller(), "check", "--config", edited.toString());

    assertThat(check.err())
        .singleElement()
        .asString()
        .startsWith("warning: poolkeeper.azure.vnet-id is not set: ");
    assertThat(check.exitCode()).isZero();
    assertThat(check.out()).contains("poolkeeper.updater.interval = \"30s\"  # default");
  }

  @Test
  void theControllerSaysWhereTheLabIs() throws Exception {
    Program refused = Program.run(directory, controller(), "lab");

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .singleElement()
        .asString()
        .startsWith("lab, arm-sim, simulate and verify-azure are not in the controller's image: ");
  }

  @Test
  void theTargetLabHasTheirCommands() throws Exception {
    Program help = Program.run(directory, lab(), "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out().stream().filter(line -> line.matches("  [a-z-]+  .*")))
        .extracting(line -> line.strip().split(" ", 2)[0])
        .containsExactly(
            "run",
            "status",
            "page",
            "explain",
            "plan",
            "shadow",
            "doctor",
            "pause",
            "resume",
            "bundle",
            "lab",
            "arm-sim",
            "simulate",
            "verify-azure",
            "check",
            "role-definition",
            "uninstall",
            "version",
            "completion");
  }

  /** Checks the program's own classes; Maven checks the libraries. */
  @Test
  void noClassNeedsOneThatIsNotInItsImage() throws Exception {
    String controller = mainJar() + ":" + jars("lib");

    assertThat(missing(controller, mainJar())).isEmpty();
    assertThat(missing(controller + ":" + jars("lab-lib"), labJar())).isEmpty();
    assertThat(missing(controller, labJar())).as("what would be seen").contains("org.bouncycastle");
  }

  private static String jars(String folder) throws IOException {
    try (Stream<Path> files = Files.list(TARGET.resolve(folder))) {
      return files.map(Path::toString).collect(Collectors.joining(":"));
    }
  }

  private static String missing(String classPath, Path jar) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                out,
                out,
                "--multi-release",
                "base",
                "--missing-deps",
                "-cp",
                classPath,
                jar.toString());
    assertThat(code).as("%s", said).isZero();
    return said.toString();
  }

  @Test
  void theControllerHoldsNothingOfTheLab() throws Exception {
    try (Stream<Path> libraries = Files.list(TARGET.resolve("lib"));
        Stream<Path> ofTheLab = Files.list(TARGET.resolve("lab-lib"))) {
      List<String> names = libraries.map(file -> file.getFileName().toString()).toList();

      assertThat(names)
          .noneMatch(name -> name.matches("(bc|vertx|mockwebserver|kubernetes-server-mock).*"))
          .doesNotContainAnyElementsOf(
              ofTheLab.map(file -> file.getFileName().toString()).toList());
    }
  }
}
