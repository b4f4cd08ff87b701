package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Files and methods of program and tests are short, and each room says what it is. */
class LengthsTest {
  private static final int FILE = 400; // lines
  private static final int METHOD = 60; // lines, from brace to brace
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  @Test
  void noFileIsLong() throws IOException {
    assertThat(sources())
        .allSatisfy(
            file ->
                assertThat(Manifests.text(file).lines().count())
                    .as("lines of %s", file)
                    .isLessThanOrEqualTo(FILE));
  }

  @Test
  void noMethodIsLong() throws IOException {
    try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
      assertThat(longMethods(files.getJavaFileObjectsFromPaths(sources()), METHOD)).isEmpty();
    }
  }

  @Test
  void longMethods_ofEachKind_areFound() throws IOException {
    String text =
        """
        record Sample(int n) {
          Sample {
            n++;
          }
          int two() {
            return 2; }
          void three(int first,
              int second) {
            first++;
          }
          interface Without { int body(
              int a,
              int b); }
        }
        """;
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("mem:///Sample.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignored) {
            return text;
          }
        };

    assertThat(longMethods(List.of(source), 2))
        .containsExactly("/Sample.java:2: <init>", "/Sample.java:7: three");
  }

  @Test
  void everyPackageOfTheProgramSaysWhatItIs() throws IOException {
    Stream<Path> packages = Sources.below(Sources.PROGRAM).stream().map(Path::getParent).distinct();

    assertThat(packages).allSatisfy(room -> assertThat(room.resolve("package-info.java")).exists());
  }

  private static List<Path> sources() throws IOException {
    return Stream.concat(
            Sources.below(Sources.PROGRAM).stream(), Sources.below(Sources.TESTS).stream())
        .toList();
  }

  /** File, line and name of those whose body has more than {@code most} lines. */
  private static List<String> longMethods(Iterable<? extends JavaFileObject> files, int most)
      throws IOException {
    JavacTask task =
        (JavacTask) COMPILER.getTask(null, null, null, List.of("-proc:none"), null, files);
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    List<String> found = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) {
      LineMap lines = unit.getLineMap();
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
          if (method.getBody() != null) {
            long begins = line(positions.getStartPosition(unit, method.getBody()));
            long ends = line(positions.getEndPosition(unit, method.getBody()) - 1);
            if (ends - begins + 1 > most) {
              found.add(
                  "%s:%d: %s"
                      .formatted(
                          unit.getSourceFile().toUri().getPath(),
                          line(positions.getStartPosition(unit, method)),
                          method.getName()));
            }
          }
          return super.visitMethod(method, null);
        }

        private long line(long position) {
          return lines.getLineNumber(position);
        }
      }.scan(unit, null);
    }
    return found;
  }
}
