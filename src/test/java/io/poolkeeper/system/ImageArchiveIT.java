package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image's archive, taken apart, and run from what it holds as a container would. */
@Tag("image")
class ImageArchiveIT {
  private static final Path ARCHIVE = Path.of("target", "poolkeeper-image.tar");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long LARGEST = 130_000_000;

  /** A root that cannot be written, with what a container has beside its image. */
  private static final String CONTAINER =
      """
      mount --bind "$0" "$0"
      mkdir -p "$0/proc" "$0/dev" "$0/etc/poolkeeper"
      touch "$0/etc/resolv.conf"
      mount -o remount,bind,ro "$0"
      mount --rbind /proc "$0/proc"
      mount --rbind /dev "$0/dev"
      mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
      mount --bind /etc/resolv.conf "$0/etc/resolv.conf"
      mount --bind "$1" "$0/etc/poolkeeper"
      root=$0
      shift
      exec unshare --root="$root" --wd=/tmp --setgid=65532 --setuid=65532 "$@"
      """;

  @TempDir private static Path directory;
  private static final List<String> files = new ArrayList<>();
  private static Path root;
  private static JsonNode manifest;
  private static JsonNode config;

  @BeforeAll
  static void takeApart() throws Exception {
    Path blobs = Files.createDirectory(directory.resolve("archive"));
    try (InputStream in = Files.newInputStream(ARCHIVE)) {
      extract(in, blobs);
    }
    JsonNode index = JSON.readTree(blobs.resolve("index.json").toFile());
    assertThat(JSON.readTree(blobs.resolve("oci-layout").toFile()).path("imageLayoutVersion"))
        .hasToString("\"1.0.0\"");
    manifest = JSON.readTree(blob(index.path("manifests").path(0)).toFile());
    config = JSON.readTree(blob(manifest.path("config")).toFile());
    root = Files.createDirectory(directory.resolve("root"));
    for (JsonNode layer : manifest.path("layers")) {
      assertThat(layer.path("mediaType").asText())
          .isEqualTo("application/vnd.oci.image.layer.v1.tar+gzip");
      try (InputStream in = new GZIPInputStream(Files.newInputStream(blob(layer)), 1 << 16)) {
        files.addAll(extract(in, root));
      }
    }
  }

  /** What a descriptor names, if it is that. */
  private static Path blob(JsonNode descriptor) throws Exception {
    String digest = descriptor.path("digest").asText();
    Path file = directory.resolve("archive/blobs").resolve(digest.replace(':', '/'));
    MessageDigest sum = MessageDigest.getInstance("SHA-256");
    sum.update(Files.readAllBytes(file));
    assertThat("sha256:" + HexFormat.of().formatHex(sum.digest())).isEqualTo(digest);
    assertThat(Files.size(file)).isEqualTo(descriptor.path("size").asLong());
    return file;
  }

  /** With modes and times; returns the paths of the files. */
  private static List<String> extract(InputStream archive, Path to) throws IOException {
    List<String> paths = new ArrayList<>();
    TarArchiveInputStream tar = new TarArchiveInputStream(new BufferedInputStream(archive));
    for (TarArchiveEntry of = tar.getNextEntry(); of != null; of = tar.getNextEntry()) {
      Path file = to.resolve(of.getName());
      assertThat(of.isDirectory() || (of.isFile() && !of.isLink())).as(of.getName()).isTrue();
      if (of.isDirectory()) {
        Files.createDirectories(file);
      } else {
        Files.createDirectories(file.getParent());
        Files.copy(tar, file);
        paths.add("/" + of.getName());
      }
      Files.setPosixFilePermissions(file, permissions(of.getMode()));
      Files.setLastModifiedTime(file, FileTime.from(of.getLastModifiedTime().toInstant()));
    }
    return paths;
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    assertThat(mode & 07000).as("setuid, setgid, sticky").isZero();
    StringBuilder text = new StringBuilder("rwxrwxrwx");
    for (int i = 0; i < text.length(); i++) {
      if (((mode >> (text.length() - 1 - i)) & 1) == 0) {
        text.setCharAt(i, '-');
      }
    }
    return PosixFilePermissions.fromString(text.toString());
  }

  @Test
  void theLayers_areInTheOrderOfTheirChanges_andSmall() throws IOException {
    List<JsonNode> layers = new ArrayList<>();
    manifest.path("layers").forEach(layers::add);

    assertThat(layers).hasSize(cached() ? 4 : 3);
    assertThat(layers.stream().mapToLong(layer -> layer.path("size").asLong()).sum())
        .isLessThan(LARGEST);
    assertThat(files).doesNotHaveDuplicates();
    assertThat(files.getLast().endsWith(".aot")).isEqualTo(cached());
    for (String options : List.of("controller", "command")) {
      assertThat(
              Files.readString(root.resolve("opt/poolkeeper").resolve(options))
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
    JsonNode container = config.path("config");

    assertThat(config.path("os").asText() + "/" + config.path("architecture").asText())
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
    assertThat(files.stream().filter(file -> Files.isExecutable(root.resolve(file.substring(1)))))
        .allMatch(
            file ->
                file.endsWith("/bin/java")
                    || file.matches(".*(\\.so[.0-9]*|/jspawnhelper|/jexec)"));
    assertThat(files)
        .contains("/opt/poolkeeper/licenses/LICENSE", "/opt/poolkeeper/bom.json")
        .anyMatch(file -> file.matches(".*/licenses/.*pekko.*/META-INF/.*"))
        .noneMatch(
            file ->
                file.matches(
                    ".*/(bc|vertx|mockwebserver|kubernetes-server-mock|.*-lab)[^/]*\\.jar"));
    try (JarFile jar = new JarFile(root.resolve("opt/poolkeeper/poolkeeper.jar").toFile())) {
      assertThat(jar.stream().map(Object::toString))
          .noneMatch(name -> name.matches("io/poolkeeper/(lab|armsim|simulation|judge)/.*"));
    }
    assertThat(JSON.readTree(root.resolve("opt/poolkeeper/bom.json").toFile()).path("components"))
        .hasSizeGreaterThan(50)
        .noneMatch(component -> component.path("name").asText().matches("bc.*|vertx.*|jib.*"));
  }

  @Test
  void fromAReadOnlyRoot_thePoolsConverge_andTheDocumentedCommandAnswers() throws Exception {
    List<String> run = new ArrayList<>();
    config.at("/config/Entrypoint").forEach(word -> run.add(word.asText()));
    if (cached()) {
      run.add(1, "-XX:AOTMode=on"); // ends if it cannot use it
    }
    try (Program lab = SeparateRunIT.lab(directory, 8558)) {
      Path settings = Path.of(lab.awaitOut("config ")).getParent();
      Map<String, String> environment = Map.of("KUBECONFIG", "/etc/poolkeeper/kubeconfig");
      String file = "/etc/poolkeeper/poolkeeper.conf";
      for (Path one : List.of(settings, settings.resolve("kubeconfig"))) {
        Files.setPosixFilePermissions(one, permissions(0755));
      }
      try (Program controller =
          Program.start(
              directory, environment, inContainer(settings, run), "run", "--config", file)) {
        lab.awaitOut("  kept running");
        Program status = Program.run(directory, inContainer(settings, documented()));

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

  private static List<String> inContainer(Path settings, List<String> command) {
    List<String> words = new ArrayList<>(List.of("unshare", "--mount", "sh", "-ec", CONTAINER));
    words.addAll(List.of(root.toString(), settings.toString()));
    words.addAll(command);
    return words;
  }

  /** What kubectl exec is given in the documentation. */
  private static List<String> documented() throws IOException {
    Matcher line =
        Pattern.compile("^kubectl .* exec .* -- (\\S+ @\\S+ status)$", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("docs", "topics", "commands.md")));
    assertThat(line.find()).isTrue();
    return List.of(line.group(1).split(" "));
  }
}
