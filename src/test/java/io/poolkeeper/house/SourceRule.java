package io.poolkeeper.house;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules for one Java file. Each problem says where it is and how to fix it. */
enum SourceRule {
  /** No file is too long to read. */
  FILE_LENGTH {
    @Override
    List<String> problems(Source source) {
      return source.lines() <= FILE_LINES
          ? List.of()
          : List.of(
              "%s has %d lines, at most %d are allowed: split it by concept"
                  .formatted(source.path(), source.lines(), FILE_LINES));
    }
  },
  /** A method, constructor or initialiser fits on a screen. */
  METHOD_LENGTH {
    @Override
    List<String> problems(Source source) {
      List<String> problems = new ArrayList<>();
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitMethod(MethodTree method, Void unused) {
          check(method.getName().toString(), method);
          return super.visitMethod(method, null);
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
          type.getMembers().stream()
              .filter(BlockTree.class::isInstance)
              .forEach(block -> check("initialiser of " + type.getSimpleName(), block));
          return super.visitClass(type, null);
        }

        private void check(String name, Tree tree) {
          long first = source.line(source.positions().getStartPosition(source.unit(), tree));
          long last = source.line(source.positions().getEndPosition(source.unit(), tree));
          if (last - first + 1 > METHOD_LINES) {
            problems.add(
                "%s:%d %s has %d lines, at most %d are allowed: extract its steps"
                    .formatted(source.path(), first, name, last - first + 1, METHOD_LINES));
          }
        }
      }.scan(source.unit(), null);
      return problems;
    }
  },
  /** Time and randomness are arguments, so that tests can choose them. */
  ENTROPY {
    @Override
    List<String> problems(Source source) {
      boolean applies = source.main() && !source.path().equals(ENTROPY_FILE);
      return applies
          ? Mentions.of(source, Mentions::clockOrChance).stream()
              .map(found -> found + ": take an InstantSource, LongSupplier or RandomGenerator as")
              .map(problem -> problem + " argument; only Entropy makes them")
              .toList()
          : List.of();
    }
  },
  /** A test that sleeps is slow on a fast machine and fails on a slow one. */
  NO_SLEEP {
    @Override
    List<String> problems(Source source) {
      return Mentions.of(source, Mentions::sleep).stream()
          .map(found -> found + ": use a timer in the program, Awaitility or a latch in a test")
          .toList();
    }
  },
  /** A test runs or does not exist. */
  NO_SKIPPED_TEST {
    @Override
    List<String> problems(Source source) {
      return source.main()
          ? List.of()
          : Mentions.of(source, Mentions::skipping).stream()
              .map(found -> found + ": fix the test or delete it; a test for a tool that may be")
              .map(problem -> problem + " missing gets a tag and a Maven profile")
              .toList();
    }
  },
  /** A room is named after its concept, not after a kind of code. */
  PACKAGE_NAME {
    @Override
    List<String> problems(Source source) {
      List<String> segments = List.of(String.valueOf(packageOf(source)).split(Pattern.quote(".")));
      return segments.stream()
          .map(segment -> segment.toLowerCase(Locale.ROOT))
          .filter(NAMELESS::contains)
          .map(
              segment ->
                  "%s is in a package called %s: name it after the concept it serves"
                      .formatted(source.path(), segment))
          .toList();
    }
  },
  /** Null has no meaning unless a type says so. */
  NULL_MARKED {
    @Override
    List<String> problems(Source source) {
      boolean applies = source.main() && source.path().endsWith("package-info.java");
      return !applies || annotations(source).contains("NullMarked")
          ? List.of()
          : List.of(source.path() + " lacks @NullMarked: add it above the package line");
    }

    private List<String> annotations(Source source) {
      return source.unit().getPackage().getAnnotations().stream()
          .map(AnnotationTree::getAnnotationType)
          .map(Mentions::lastName)
          .toList();
    }
  };

  static final int FILE_LINES = 400;
  static final int METHOD_LINES = 60;
  static final Path ENTROPY_FILE = Source.MAIN.resolve("io/poolkeeper/Entropy.java");
  private static final Set<String> NAMELESS =
      Set.of("util", "utils", "impl", "manager", "managers", "helper", "helpers");

  /** The problems of the file. */
  abstract List<String> problems(Source source);

  private static Object packageOf(Source source) {
    return source.unit().getPackage() == null ? "" : source.unit().getPackageName();
  }
}
