package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image's archive, taken apart, and run from what it holds as a container would. */
@Tag("image")
class ImageArchiveIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long LARGEST = 130_000_000;

  @TempDir private static Path directory;
  private static TakenApartImage image;

  @BeforeAll
  static void takeApart() throws Exception {
    image = new TakenApartImage(directory);
  }

  @Test
  void theLayers_areInTheOrderOfTheirChanges_andSmall() throws IOException {
    List<JsonNode> layers = new ArrayList<>();
    image.manifest.path("layers").forEach(layers::add);

    assertThat(layers).hasSize(cached() ? 4 : 3);
    assertThat(layers.stream().mapToLong(layer -> layer.path("size").asLong()).sum())
        .isLessThan(LARGEST);
    assertThat(image.files).doesNotHaveDuplicates();
    assertThat(image.files.getLast().endsWith(".aot")).isEqualTo(cached());
    for (String options : List.of("controller", "command")) {
      assertThat(
              Files.readString(image.root.resolve("opt/poolkeeper").resolve(options))
                  .contains("AOTCache"))
          .as(options)
          .isEqualTo(cached());
    }
  }

  private static boolean cached() {
    return Boolean.getBoolean("image.cache");
  }

  @Test
  void theConfiguration_isThatOfAnUnprivilegedController() {
    JsonNode container = image.config.path("config");

    assertThat(image.config.path("os").asText() + "/" + image.config.path("architecture").asText())
        .isEqualTo("linux/amd64");
    assertThat(container.path("User").asText()).isEqualTo("65532:65532");
    assertThat(container.path("WorkingDir").asText()).isEqualTo("/tmp");
    assertThat(container.path("ExposedPorts").has("8558/tcp")).isTrue();
    assertThat(container.path("Cmd")).hasToString("[\"--help\"]");
    for (String label : List.of("title", "version", "revision", "licenses")) {
      assertThat(container.path("Labels").path("org.opencontainers.image." + label).asText())
          .as(label)
          .isNotBlank();
    }
  }

  @Test
  void theFiles_areTheProgramItsLicencesAndNoShell() throws Exception {
    assertThat(
            image.files.stream()
                .filter(file -> Files.isExecutable(image.root.resolve(file.substring(1)))))
        .allMatch(
            file ->
                file.endsWith("/bin/java")
                    || file.matches(".*(\\.so[.0-9]*|/jspawnhelper|/jexec)"));
    assertThat(image.files)
        .contains("/opt/poolkeeper/licenses/LICENSE", "/opt/poolkeeper/bom.json")
        .anyMatch(file -> file.matches(".*/licenses/.*pekko.*/META-INF/.*"))
        .noneMatch(
            file ->
                file.matches(
                    ".*/(bc|vertx|mockwebserver|kubernetes-server-mock|.*-lab)[^/]*\\.jar"));
    try (JarFile jar = new JarFile(image.root.resolve("opt/poolkeeper/poolkeeper.jar").toFile())) {
      assertThat(jar.stream().map(Object::toString))
          .noneMatch(name -> name.matches("io/poolkeeper/(lab|armsim|simulation|judge)/.*"));
    }
    assertThat(parts())
        .hasSizeGreaterThan(50)
        .noneMatch(component -> component.path("name").asText().matches("bc.*|vertx.*|jib.*"));
  }

  private static JsonNode parts() throws IOException {
    return JSON.readTree(image.root.resolve("opt/poolkeeper/bom.json").toFile()).path("components");
  }

  @Test
  void theBillOfMaterials_namesRuntimeAndCLibrary_andWhatHasLostItsSignature() throws Exception {
    String release = Files.readString(image.root.resolve("opt/poolkeeper/runtime/release"));

    for (String part : List.of("java-runtime", "libc6", "libgcc-s1")) {
      assertThat(parts())
          .as(part)
          .filteredOn(component -> component.path("name").asText().equals(part))
          .singleElement()
          .satisfies(component -> assertThat(component.path("version").asText()).matches("\\d.*"));
    }
    assertThat(parts())
        .filteredOn(component -> component.path("name").asText().equals("java-runtime"))
        .allMatch(
            java -> release.contains(java.path("version").asText().replaceFirst("\\+.*", "")));
    assertThat(parts())
        .filteredOn(component -> component.path("pedigree").has("notes"))
        .isNotEmpty();
  }

  @Test
  void fromAReadOnlyRoot_thePoolsConverge_andTheDocumentedCommandAnswers() throws Exception {
    List<String> run = image.entrypoint();
    if (cached()) {
      run.add(1, "-XX:AOTMode=on"); // ends if it cannot use it
    }
    try (Program lab = SeparateRunIT.lab(directory, 8558)) {
      Path settings = Path.of(lab.awaitOut("config ")).getParent();
      Map<String, String> environment = Map.of("KUBECONFIG", "/etc/poolkeeper/kubeconfig");
      String file = "/etc/poolkeeper/poolkeeper.conf";
      Path none = Files.createDirectory(directory.resolve("none"));
      for (Path one : List.of(settings, settings.resolve("kubeconfig"))) {
        Files.setPosixFilePermissions(one, TakenApartImage.permissions(0755));
      }
      try (Program controller =
          Program.start(
              directory,
              environment,
              image.inContainer(settings, none, run),
              "run",
              "--config",
              file)) {
        lab.awaitOut("  kept running");
        Program status =
            Program.run(directory, image.inContainer(settings, none, image.command("status")));

        assertThat(status.err()).isEmpty();
        assertThat(status.exitCode()).isZero();
        assertThat(String.join("\n", status.out())).contains(" pools are in sync.");
        assertThat(controller.terminate()).isZero();
        assertThat(controller.err()).allMatch(SeparateRunIT::isLog);
      }
      assertThat(lab.terminate()).isZero();
      assertThat(lab.out()).anyMatch(line -> line.strip().equals("passed"));
    }
  }
}
