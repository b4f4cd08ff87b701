package io.poolkeeper.house;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A Java file, parsed by the JDK's compiler, so that comments, strings and text blocks are not
 * mistaken for code.
 *
 * @param main whether it belongs to the program rather than to its tests
 */
record Source(
    Path path, boolean main, String text, CompilationUnitTree unit, SourcePositions positions) {

  static final Path MAIN = Path.of("src", "main", "java");
  static final Path TEST = Path.of("src", "test", "java");

  // Parsing needs no class path, and opening one takes most of the time.
  private static final List<String> OPTIONS = List.of("-proc:none", "-classpath", "");

  /** Every Java file of the project. */
  static List<Source> ofProject() {
    return parse(Stream.of(MAIN, TEST).flatMap(Source::below).toList());
  }

  static Source of(Path path, String text) {
    return parse(List.of(new Text(path, text))).getFirst();
  }

  long lines() {
    return text.lines().count();
  }

  long line(long position) {
    return unit.getLineMap().getLineNumber(position);
  }

  private static Stream<Text> below(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .map(Text::read)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException("run the tests in the project's directory", e);
    }
  }

  /** One run of the compiler for all files: starting it costs more than parsing them. */
  private static List<Source> parse(List<Text> texts) {
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler().getTask(null, null, found, OPTIONS, null, texts);
    List<Source> sources = new ArrayList<>();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        Path path = Path.of(unit.getSourceFile().getName().substring(1));
        String text = unit.getSourceFile().getCharContent(true).toString();
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        sources.add(new Source(path, path.startsWith(MAIN), text, unit, positions));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Diagnostic<?> each : found.getDiagnostics()) {
      if (each.getKind() == Diagnostic.Kind.ERROR) {
        throw new IllegalArgumentException("this is no Java: " + each);
      }
    }
    return List.copyOf(sources);
  }

  /** A file held in memory, in the form that the compiler reads. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(Path path, String text) {
      super(URI.create("string:///" + path.toString().replace('\\', '/')), Kind.SOURCE);
      this.text = text;
    }

    static Text read(Path path) {
      try {
        return new Text(path, Files.readString(path));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
