package io.poolkeeper.house;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds names used in code. A member is {@code Type.member} in every form (call, method reference,
 * static import), a construction {@code new Type} (followed by {@code ()} without arguments), an
 * annotation {@code @Name}, anything else its bare name.
 */
final class Mentions extends TreeScanner<Void, Void> {
  private static final Set<String> CLOCK_OR_CHANCE =
      Set.of(
          "Instant.now",
          "LocalDate.now",
          "LocalTime.now",
          "LocalDateTime.now",
          "OffsetDateTime.now",
          "ZonedDateTime.now",
          "new Date()",
          "InstantSource.system",
          "System.nanoTime",
          "System.currentTimeMillis",
          "Math.random",
          "new Random",
          "new Random()",
          "new SplittableRandom()",
          "RandomGenerator.getDefault",
          "RandomGenerator.of",
          "UUID.randomUUID",
          "ThreadLocalRandom",
          "SecureRandom");
  private static final Set<String> SLEEP =
      Set.of(
          "Thread.sleep",
          "NANOSECONDS.sleep",
          "MICROSECONDS.sleep",
          "MILLISECONDS.sleep",
          "SECONDS.sleep",
          "MINUTES.sleep",
          "LockSupport.parkNanos",
          "LockSupport.parkUntil");

  private final Source source;
  private final Predicate<String> forbidden;
  private final List<String> found = new ArrayList<>();

  private Mentions(Source source, Predicate<String> forbidden) {
    this.source = source;
    this.forbidden = forbidden;
  }

  /** The forbidden names in a file with their lines. */
  static List<String> of(Source source, Predicate<String> forbidden) {
    Mentions mentions = new Mentions(source, forbidden);
    mentions.scan(source.unit(), null);
    return List.copyOf(mentions.found);
  }

  static boolean clockOrChance(String name) {
    return CLOCK_OR_CHANCE.contains(name) || name.startsWith("Clock.system");
  }

  static boolean sleep(String name) {
    return SLEEP.contains(name);
  }

  static boolean skipping(String name) {
    return name.startsWith("@Disabled")
        || name.startsWith("@Enabled")
        || name.equals("@Ignore")
        || name.equals("Assumptions")
        || name.equals("TestAbortedException")
        || lastSegment(name).startsWith("assume")
        || lastSegment(name).equals("assumingThat");
  }

  /** The name of a type without its package, whether it is written in full or not. */
  static String lastName(Tree tree) {
    return tree instanceof MemberSelectTree select
        ? select.getIdentifier().toString()
        : tree.toString();
  }

  @Override
  public Void visitIdentifier(IdentifierTree tree, Void unused) {
    mention(tree.getName().toString(), tree);
    return super.visitIdentifier(tree, null);
  }

  @Override
  public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
    String member = tree.getIdentifier().toString();
    if (!mention(lastName(tree.getExpression()) + "." + member, tree)) {
      mention(member, tree);
    }
    return super.visitMemberSelect(tree, null);
  }

  @Override
  public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
    String type = lastName(tree.getQualifierExpression());
    boolean constructor = tree.getMode() == MemberReferenceTree.ReferenceMode.NEW;
    mention(constructor ? "new " + type + "()" : type + "." + tree.getName(), tree);
    return super.visitMemberReference(tree, null);
  }

  @Override
  public Void visitNewClass(NewClassTree tree, Void unused) {
    String suffix = tree.getArguments().isEmpty() ? "()" : "";
    mention("new " + lastName(tree.getIdentifier()) + suffix, tree);
    return super.visitNewClass(tree, null);
  }

  @Override
  public Void visitAnnotation(AnnotationTree tree, Void unused) {
    mention("@" + lastName(tree.getAnnotationType()), tree);
    return super.visitAnnotation(tree, null);
  }

  private boolean mention(String name, Tree tree) {
    if (!forbidden.test(name)) {
      return false;
    }
    long position = source.positions().getStartPosition(source.unit(), tree);
    found.add("%s:%d uses %s".formatted(source.path(), source.line(position), name));
    return true;
  }

  private static String lastSegment(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
