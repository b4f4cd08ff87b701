package io.poolkeeper.simulation;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The program with a fault in it: the changed sources are compiled beside the program's classes,
 * and a class loader of its own finds them first. Nothing of the program is shared with the tests.
 */
final class Mutant implements AutoCloseable {
  private static final Path SOURCES = Path.of("src/main/java/io/poolkeeper");
  private static final List<Path> PROGRAM =
      List.of(Path.of("target/classes"), Path.of("target/test-classes"));

  private final Loader loader;
  private final LongFunction<Optional<String>> firstViolation;

  private Mutant(Loader loader, LongFunction<Optional<String>> firstViolation) {
    this.loader = loader;
    this.firstViolation = firstViolation;
  }

  /** Compiles it into an empty directory. */
  static Mutant of(SeededFault fault, Path directory) throws Exception {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--release", "21", "-proc:none", "-nowarn", "-d", classes.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    for (SeededFault.Edit edit : fault.edits()) {
      Path changed = directory.resolve("source").resolve(edit.file());
      Files.createDirectories(Objects.requireNonNull(changed.getParent()));
      Path source = Files.exists(changed) ? changed : SOURCES.resolve(edit.file());
      Files.writeString(changed, edit.apply(Files.readString(source)));
      if (!arguments.contains(changed.toString())) {
        arguments.add(changed.toString());
      }
    }
    compile(arguments);
    Loader loader = new Loader(classes);
    Object made =
        loader.loadClass(FirstViolation.class.getName()).getDeclaredConstructor().newInstance();
    @SuppressWarnings("unchecked")
    LongFunction<Optional<String>> firstViolation = (LongFunction<Optional<String>>) made;
    return new Mutant(loader, firstViolation);
  }

  private static void compile(List<String> arguments) {
    JavaCompiler compiler =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "not run by a JDK");
    StringWriter said = new StringWriter();
    List<String> options = arguments.stream().filter(one -> !one.endsWith(".java")).toList();
    List<Path> files =
        arguments.stream().filter(one -> one.endsWith(".java")).map(Path::of).toList();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
              .call();
      if (!compiled) {
        throw new IllegalArgumentException("the faulty source does not compile: " + said);
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The rule that the run of a seed breaks; empty if none. */
  Optional<String> violation(long seed) {
    return firstViolation.apply(seed);
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }

  /** Finds the program's classes itself, the changed ones first, and asks others for the rest. */
  private static final class Loader extends URLClassLoader {
    Loader(Path changed) throws IOException {
      super(urls(changed), Mutant.class.getClassLoader());
    }

    private static URL[] urls(Path changed) throws IOException {
      List<URL> urls = new ArrayList<>();
      urls.add(changed.toUri().toURL());
      for (Path classes : PROGRAM) {
        urls.add(classes.toUri().toURL());
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.poolkeeper.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }
  }
}
