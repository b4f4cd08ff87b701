package io.poolkeeper.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.classinfo.ClassName;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.gregor.GregorMutater;
import org.pitest.mutationtest.engine.gregor.MethodMutatorFactory;
import org.pitest.mutationtest.engine.gregor.config.Mutator;

/**
 * The name of one mutation that PIT's engine can make. A name that fits none, or another number of
 * them than it says, is an error.
 *
 * @param type a class, below the program's package
 * @param method one of its methods, all of that name, the lambdas in it included
 * @param mutator as PIT names it, or {@link AddFirst}
 * @param what a part of PIT's description; empty if it may be any
 * @param number which of those that fit, in the order of the code
 * @param of how many fit
 */
record Mutation(String type, String method, String mutator, String what, int number, int of) {
  private static final String PROGRAM = "io.poolkeeper.";

  /** The only one of a mutator in a method. */
  Mutation(String type, String method, String mutator) {
    this(type, method, mutator, "", 1, 1);
  }

  /** Of those that fit, those with this in their description. */
  Mutation on(String part) {
    return new Mutation(type, method, mutator, part, number, of);
  }

  /** One of several. */
  Mutation number(int one, int ofAll) {
    return new Mutation(type, method, mutator, what, one, ofAll);
  }

  String className() {
    return PROGRAM + type;
  }

  /**
   * The class with this mutation.
   *
   * @param changed classes that were changed before, by name
   */
  byte[] bytes(Map<String, byte[]> changed) {
    GregorMutater engine = new GregorMutater(source(changed), method -> true, factories());
    List<MutationDetails> fitting =
        engine.findMutations(ClassName.fromString(className())).stream()
            .filter(found -> isInMethod(found.getMethod()) && found.getDescription().contains(what))
            .sorted(
                Comparator.comparingInt(MutationDetails::getLineNumber)
                    .thenComparingInt(MutationDetails::getFirstIndex))
            .toList();
    if (fitting.size() != of) {
      throw new IllegalStateException(
          "%s fits %d mutations: %s".formatted(this, fitting.size(), fitting));
    }
    return engine.getMutation(fitting.get(number - 1).getId()).getBytes();
  }

  private boolean isInMethod(String found) {
    return found.equals(method) || found.startsWith("lambda$" + lambdas() + "$");
  }

  private String lambdas() {
    return method.equals("<init>") ? "new" : method;
  }

  private Collection<MethodMutatorFactory> factories() {
    return mutator.equals(AddFirst.ID)
        ? List.of(new AddFirst())
        : Mutator.fromStrings(List.of(mutator));
  }

  private static ClassByteArraySource source(Map<String, byte[]> changed) {
    return name -> {
      String dotted = name.replace('/', '.');
      return changed.containsKey(dotted) ? Optional.of(changed.get(dotted)) : original(dotted);
    };
  }

  /** A class as it was compiled. */
  static Optional<byte[]> original(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = Mutation.class.getClassLoader().getResourceAsStream(file)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
