package io.poolkeeper.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Writes the image's archive, in OCI layout: the files of its root as they are, in layers of which
 * the ones that change seldom come first. What is the same from build to build has the same digest.
 */
public final class ImageArchive {
  static final Path ROOT = Path.of("target", "image", "root");
  static final Path FILE = Path.of("target", "poolkeeper-image.tar");
  static final String HOME = "/opt/poolkeeper";
  static final List<String> ENTRYPOINT =
      List.of(HOME + "/runtime/bin/java", "@" + HOME + "/controller");

  /** Each file is in the first that takes it. */
  private enum Layer {
    CACHE(path -> path.endsWith(".aot")),
    LIBRARIES(path -> path.startsWith(HOME + "/lib/") || path.startsWith(HOME + "/licenses/")),
    PROGRAM(path -> path.startsWith(HOME + "/") && !path.startsWith(HOME + "/runtime/")),
    RUNTIME(path -> true);

    private static final List<Layer> IN_IMAGE = List.of(RUNTIME, LIBRARIES, PROGRAM, CACHE);

    private final Predicate<String> takes;

    Layer(Predicate<String> takes) {
      this.takes = takes;
    }

    static Layer of(String path) {
      return Stream.of(values()).filter(layer -> layer.takes.test(path)).findFirst().orElseThrow();
    }
  }

  private ImageArchive() {}

  /** Writes it, given the program's version and commit. */
  public static void main(String[] arguments) throws Exception {
    JibContainerBuilder image = Jib.fromScratch();
    for (Layer layer : Layer.IN_IMAGE) {
      FileEntriesLayer files = layer(layer);
      if (!files.getEntries().isEmpty()) {
        image.addFileEntriesLayer(files);
      }
    }
    image
        .setFormat(ImageFormat.OCI)
        .setLabels(labels(arguments[0], arguments[1]))
        .setUser("65532:65532")
        // Else the C library keeps an arena for each thread.
        .setEnvironment(Map.of("MALLOC_ARENA_MAX", "2"))
        .setWorkingDirectory(AbsoluteUnixPath.get("/tmp"))
        .addExposedPort(Port.tcp(8558))
        .addExposedPort(Port.tcp(8559))
        .setEntrypoint(ENTRYPOINT)
        .setProgramArguments("--help");
    Path layers = Path.of("target", "image", "layers");
    Files.deleteIfExists(FILE);
    image.containerize(
        Containerizer.to(TarImage.at(FILE).named("poolkeeper:" + arguments[0]))
            .setOfflineMode(true)
            .setBaseImageLayersCache(layers)
            .setApplicationLayersCache(layers));
    System.out.printf("%s: %d MB%n", FILE, Files.size(FILE) / 1_000_000);
    System.exit(0); // threads of the library live on
  }

  private static Map<String, String> labels(String version, String commit) {
    String name = "org.opencontainers.image.";
    return Map.of(
        name + "title",
        "Poolkeeper",
        name + "description",
        "Keeps the backend pools of Azure Standard Load Balancers in step with a Kubernetes cluster",
        name + "version",
        version,
        name + "revision",
        commit,
        name + "licenses",
        "Apache-2.0");
  }

  private static FileEntriesLayer layer(Layer layer) throws IOException {
    FileEntriesLayer.Builder files = FileEntriesLayer.builder().setName(layer.name());
    for (Path file : files()) {
      String path = "/" + ROOT.relativize(file);
      if (Layer.of(path) == layer && (layer == Layer.RUNTIME || !Files.isDirectory(file))) {
        files.addEntry(
            file,
            AbsoluteUnixPath.get(path),
            FilePermissions.fromPosixFilePermissions(Files.getPosixFilePermissions(file)),
            Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant());
      }
    }
    return files.build();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> found =
          new ArrayList<>(files.filter(file -> !file.equals(ROOT)).sorted().toList());
      if (found.stream().anyMatch(Files::isSymbolicLink)) {
        throw new IOException(ROOT + ": a symbolic link would be lost");
      }
      return found;
    }
  }
}
