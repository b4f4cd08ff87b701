package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each part of a bundle is tried alone. */
@Timeout(120)
class BundleCommandTest {
  @TempDir private Path directory;
  private LeaderStub stub;
  private Path file;
  private String out;
  private int code;

  @BeforeEach
  void start() throws Exception {
    stub = new LeaderStub().answer("/api/v1/status", "{}").answer("/metrics", "up 1");
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private void bundle() {
    bundle(directory.resolve("case.zip"));
  }

  private void bundle(Path to) {
    file = to;
    var said = new StringWriter();
    String none = directory.resolve("none").toString();
    code =
        Cli.run(
            List.of(
                "bundle",
                "-f",
                file.toString(),
                "--url",
                stub.url().toString(),
                "--kubeconfig",
                none),
            new PrintWriter(said),
            new PrintWriter(said),
            Map.of());
    out = said.toString();
  }

  private Map<String, String> files() throws Exception {
    Map<String, String> files = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(
            entry.getName().replace("poolkeeper-bundle/", ""),
            new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return files;
  }

  @Test
  void aPathWithoutAnEnd_isNamed_andTheOthersAreThere() throws Exception {
    stub.stall("/api/v1/pools", "[");

    bundle();

    assertThat(code).as(out).isZero();
    Map<String, String> files = files();
    assertThat(files)
        .containsEntry("versions.txt", String.join("\n", new Version().getVersion()) + "\n");
    assertThat(files).containsEntry("status.json", "{}").containsEntry("metrics.txt", "up 1");
    assertThat(files).doesNotContainKey("pools.json");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(files.get("missing.txt"))
        .contains("pools.json: the answer ended early: nothing came for 10 s")
        .contains("what the cluster shows: ");
    assertThat(out).contains("missing: pools.json: ", "missing: what the cluster shows: ");
  }

  @Test
  void partsThatAreTooLongTogether_areLeftOut_andTheOthersAreThere() throws Exception {
    stub.answer("/api/v1/pools", "x".repeat(20 << 20)).answer("/api/v1/nodes", "x".repeat(5 << 20));

    bundle();

    assertThat(files()).containsKeys("pools.json", "metrics.txt").doesNotContainKey("nodes.json");
    assertThat(files().get("missing.txt"))
        .contains("nodes.json: left out, as all parts may have 24 MiB");
  }

  @Test
  void aLeaderThatDoesNotAnswer_isNotAskedForAll() {
    stub.close();

    bundle();

    assertThat(code).isEqualTo(1);
    assertThat(out)
        .contains("missing: settings.json: ", "missing: what the cluster shows: ")
        .contains("missing: more of the leader: not asked, as 3 parts in a row failed")
        .doesNotContain("turnstile.json");
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileThatCannotBeWritten_isSaidBeforeAnybodyIsAsked() {
    stub.close();

    bundle(directory.resolve("nowhere").resolve("case.zip"));

    assertThat(code).isEqualTo(1);
    assertThat(out).contains("case.zip: cannot be written: ").doesNotContain("missing: ");
  }
}
