package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher in a separate checkout, with fake JDKs and a fake Maven that print their arguments.
 */
class LauncherTest {
  private static final int LIMIT_SECONDS = 60;

  /** Builds where the pom says; the jar ends like a zip file, which the launcher checks. */
  private static final String MAVEN =
      """
      #!/bin/sh
      echo "mvn $*" >>calls
      [ ! -f broken ] || { echo 'error: does not compile'; exit 1; }
      case " $* " in *" -Dprogram "*) out=target/program ;; *) out=target ;; esac
      mkdir -p $out/classes $out/lab-lib
      printf 'jar %s PK\\005\\006                  ' "$(cat src/main/Main)" >$out/poolkeeper-1.jar
      cp $out/poolkeeper-1.jar $out/poolkeeper-1-lab.jar
      """;

  private static final String JAVA = "#!/bin/sh\necho \"$0 $*\"\necho \"pid $$\"\n";

  @TempDir private Path temp;
  private Path checkout;

  private record Result(int code, String out, String err, long pid) {}

  @BeforeEach
  void setUp() throws IOException {
    checkout = Files.createDirectories(temp.resolve("check out"));
    for (String place : List.of("src/main", "src/rehearsal", "deploy/first")) {
      Files.createDirectories(checkout.resolve(place));
    }
    Files.writeString(checkout.resolve("src/main/Main"), "1");
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    var jvms = Files.createDirectories(temp.resolve("jvms"));
    var launcher =
        Files.readString(Path.of("poolkeeper"))
            .replace("/usr/lib/jvm/*", jvms + "/*")
            .replace("/opt/java/*", "")
            .replace("/Library/Java/JavaVirtualMachines/*/Contents/Home", "");
    executable(checkout.resolve("poolkeeper"), launcher);
    executable(temp.resolve("bin/mvn"), MAVEN);
    jdk("old-17", "17.0.9");
    Files.createSymbolicLink(temp.resolve("bin/java"), jvms.resolve("old-17/bin/java"));
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Path jdk(String name, String version) throws IOException {
    var home = temp.resolve("jvms").resolve(name);
    executable(home.resolve("bin/java"), JAVA);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Process start(Path launcher, Map<String, String> env, String... arguments)
      throws IOException {
    var command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", temp.resolve("bin") + ":/usr/bin:/bin");
    builder.environment().put("HOME", temp.toString());
    builder.environment().putAll(env);
    return builder.start();
  }

  private static Result finish(Process process) throws Exception {
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), out, err, process.pid());
  }

  private Result run(Map<String, String> env, String... arguments) throws Exception {
    return finish(start(checkout.resolve("poolkeeper"), env, arguments));
  }

  private List<String> builds() throws IOException {
    var calls = checkout.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private String classPath(String built) {
    return "%1$s/poolkeeper.jar:%1$s/poolkeeper-lab.jar:%1$s/lab-lib/* io.poolkeeper.Main"
        .formatted(checkout.resolve(built));
  }

  private static void touch(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  @Test
  void firstRun_buildsOnceThenBecomesTheJvm() throws Exception {
    var home = jdk("new-21", "21.0.2");

    var first = run(Map.of(), "check", "--config", "a b");
    var second = run(Map.of("POOLKEEPER_JAVA_OPTS", "-Xmx1g -Da=b"), "version");

    assertThat(first.err()).isEqualTo("building poolkeeper (log: target/build.log) ...\n");
    assertThat(first.out())
        .isEqualTo(
            "%s/bin/java --enable-native-access=ALL-UNNAMED -cp %s check --config a b\npid %d\n"
                .formatted(home, classPath("target/program"), first.pid()));
    assertThat(second.err()).isEmpty();
    assertThat(builds()).singleElement().asString().contains(" package -Dprogram ");
    assertThat(second.out()).contains("ALL-UNNAMED -Xmx1g -Da=b -cp ");
    assertThat(run(Map.of(), "run").out())
        .as("the exit code 3 of a JVM without memory is an answer of commands")
        .contains("java -XX:+ExitOnOutOfMemoryError --enable");
  }

  @Test
  void jdk24OrNewer_allowsUnsafeMemoryAccess() throws Exception {
    jdk("new-25", "25");

    assertThat(run(Map.of(), "version").out()).contains(" --sun-misc-unsafe-memory-access=allow ");
  }

  @Test
  void javaHome_newEnough_comesFirst() throws Exception {
    jdk("a-21", "21.0.2");
    var home = jdk("z-23", "23.0.1");

    assertThat(run(Map.of("JAVA_HOME", home.toString()), "version").out())
        .startsWith(home + "/bin/java ");
  }

  @Test
  void noJdk_oneMessage() throws Exception {
    var result = run(Map.of("JAVA_HOME", temp.resolve("nowhere").toString()), "version");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("poolkeeper: no JDK of version 21 or newer found: install one or set JAVA_HOME")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"src/main/Main", "src/rehearsal/Lab", "deploy/first/crd.yaml", "pom.xml"})
  void sourceChanged_isBuiltAgain(String changed) throws Exception {
    jdk("new-21", "21.0.2");
    run(Map.of(), "version");
    Files.writeString(checkout.resolve("src/main/Main"), "2");
    touch(checkout.resolve("src/main/Main"), Instant.EPOCH);
    Files.writeString(checkout.resolve(changed), "2");
    touch(checkout.resolve(changed), Instant.now().plusSeconds(2));

    run(Map.of(), "version");

    Path built = checkout.resolve("target/program");
    assertThat(builds()).hasSize(2);
    assertThat(built.resolve("poolkeeper.jar")).content().startsWith("jar 2 ");
    assertThat(built.resolve("poolkeeper-lab.jar")).content().startsWith("jar 2 ");
  }

  /** Else Maven would find classes there, and would not compile them again with its checks. */
  @Test
  void build_leavesNothingWhereMavenCompilesWithChecks() throws Exception {
    jdk("new-21", "21.0.2");

    run(Map.of(), "version");

    assertThat(checkout.resolve("target")).isDirectoryNotContaining("glob:**classes");
    assertThat(checkout.resolve("target/program/classes")).isDirectory();
  }

  /** What {@code mvn} without the launcher leaves, newer than the sources. */
  private void mavenPackages() throws Exception {
    finish(
        new ProcessBuilder(temp.resolve("bin/mvn").toString())
            .directory(checkout.toFile())
            .start());
    touch(checkout.resolve("target/poolkeeper-1.jar"), Instant.now().plusSeconds(2));
  }

  @Test
  void packagedByMaven_isUsedWithoutBuilding() throws Exception {
    jdk("new-21", "21.0.2");
    mavenPackages();

    var result = run(Map.of(), "version");

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("-cp " + classPath("target"));
    assertThat(builds()).containsExactly("mvn ");
  }

  /** Else the tests of a build would try another one. */
  @Test
  void packagedByMaven_afterTheLauncherHasBuilt_isUsed() throws Exception {
    jdk("new-21", "21.0.2");
    run(Map.of(), "version");
    mavenPackages();

    var result = run(Map.of(), "version");

    assertThat(result.out()).contains("-cp " + classPath("target"));
    assertThat(builds()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"poolkeeper-1.jar", "poolkeeper-1-lab.jar"})
  void packagedOnlyInPart_isBuiltAgain(String jar) throws Exception {
    jdk("new-21", "21.0.2");
    mavenPackages();
    Files.writeString(checkout.resolve("target").resolve(jar), "half a jar, still being written");
    touch(checkout.resolve("target/poolkeeper-1.jar"), Instant.now().plusSeconds(2));

    run(Map.of(), "version");

    assertThat(builds()).hasSize(2);
  }

  @Test
  void buildFails_lastLinesOfItsLogAndExitOne() throws Exception {
    jdk("new-21", "21.0.2");
    Files.writeString(checkout.resolve("broken"), "");

    var result = run(Map.of(), "version");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("error: does not compile\n")
        .endsWith(
            "the build failed; all of its log is in %s/target/build.log\n".formatted(checkout));
    assertThat(checkout.resolve("target/.build.lock")).doesNotExist();
  }

  @Test
  void twoAtOnce_buildOnce() throws Exception {
    jdk("new-21", "21.0.2");
    executable(temp.resolve("bin/mvn"), MAVEN.replace("mkdir", "sleep 1; mkdir"));

    var one = start(checkout.resolve("poolkeeper"), Map.of(), "version");
    var two = start(checkout.resolve("poolkeeper"), Map.of(), "version");

    assertThat(List.of(finish(one).code(), finish(two).code())).containsExactly(0, 0);
    assertThat(builds()).hasSize(1);
  }

  @Test
  void lockOfADeadProcess_isTakenOver() throws Exception {
    jdk("new-21", "21.0.2");
    var dead = new ProcessBuilder("true").start();
    assertThat(dead.waitFor()).isZero();
    Files.createDirectories(checkout.resolve("target"));
    Files.createSymbolicLink(
        checkout.resolve("target/.build.lock"), Path.of(Long.toString(dead.pid())));

    assertThat(run(Map.of(), "version").code()).isZero();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void lockThatCannotBeMade_oneMessage() throws Exception {
    jdk("new-21", "21.0.2");
    executable(temp.resolve("bin/ln"), "#!/bin/sh\nexit 1\n");

    var result = run(Map.of(), "version");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo("poolkeeper: cannot write %s/target/.build.lock\n".formatted(checkout));
    assertThat(builds()).isEmpty();
  }

  @Test
  void throughASymbolicLink_findsItsCheckout() throws Exception {
    jdk("new-21", "21.0.2");
    var link = Files.createSymbolicLink(temp.resolve("bin/pk"), Path.of("../check out/poolkeeper"));

    var result = finish(start(link, Map.of(), "version"));

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("-cp " + classPath("target/program"));
  }
}
