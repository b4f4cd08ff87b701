package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Properties that the Dockerfile and the pom must keep; {@code ImageIT} starts what it copies. */
class ImageTest {
  private static final String DOCKERFILE = Manifests.text(Path.of("Dockerfile"));
  private static final String POM = Manifests.text(Path.of("pom.xml"));

  /** The stages in their order, each from its FROM on. */
  private static List<String> stages() {
    return Arrays.stream(DOCKERFILE.split("(?m)^(?=FROM )", -1))
        .filter(text -> text.startsWith("FROM "))
        .toList();
  }

  private static String stage(String name) {
    return stages().stream()
        .filter(stage -> stage.lines().findFirst().orElseThrow().endsWith(" AS " + name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theControllerIsTheDefaultAndHoldsNothingOfTheLab() {
    assertThat(stages().getLast()).isEqualTo(stage("controller")).startsWith("FROM program AS ");
    assertThat(stage("controller")).doesNotContain("COPY");
    assertThat(stage("program").lines().filter(line -> line.startsWith("COPY")))
        .containsExactly(
            "COPY --from=build /build/target/program/image/root /",
            "COPY --from=build /libraries /opt/poolkeeper",
            "COPY --from=build /program /opt/poolkeeper");
  }

  @Test
  void whatTheBuildLoads_hasADigestOrAChecksumThatIsVerified() {
    assertThat(stage("build").lines())
        .contains("FROM ${BASE} AS build")
        .anyMatch(line -> line.startsWith("RUN case $BASE in *@sha256:*) ;; *)"));
    assertThat(Manifests.text(Path.of(".mvn", "maven.config")).lines())
        .contains("--strict-checksums");
    assertThat(Manifests.text(Path.of(".ci", "site"))).contains(" --require-hashes ");
  }

  /** So Maven compiles with its checks what they compiled before without. */
  @Test
  void launcherAndDockerfile_buildInADirectoryOfTheirOwn() {
    String profile = POM.split("<id>program</id>", -1)[1].split("</profile>", -1)[0];

    assertThat(POM).contains("<directory>${output.directory}</directory>");
    assertThat(profile)
        .contains("<output.directory>${project.basedir}/target/program</output.directory>");
    assertThat(DOCKERFILE.lines().filter(line -> line.contains("mvn ") && line.startsWith("RUN")))
        .hasSize(2)
        .allMatch(line -> line.contains(" -Dprogram "));
  }

  @Test
  void whatRehearsesTheController_isInTheJarOfTheLabAlone() {
    for (String room : Sources.rooms(Sources.REHEARSAL)) {
      String files = "io/poolkeeper/" + room + "/**";
      assertThat(POM)
          .contains("<exclude>" + files + "</exclude>", "<include>" + files + "</include>");
    }
  }

  @Test
  void theLabIsTheControllerAndTwoThingsMore() {
    assertThat(stage("lab").lines().filter(line -> line.matches("(FROM|COPY) .*")))
        .containsExactly(
            "FROM program AS lab",
            "COPY --from=build /build/target/program/lab-lib /opt/poolkeeper/lab-lib",
            "COPY --from=build /poolkeeper-lab.jar /opt/poolkeeper/");
  }
}
