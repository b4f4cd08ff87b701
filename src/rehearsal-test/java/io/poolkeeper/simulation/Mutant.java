package io.poolkeeper.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The program with mutations in it: a class loader of its own takes the changed classes first, and
 * all others of the program as they are. Nothing of the program is shared with the tests but the
 * result.
 */
final class Mutant extends ClassLoader {
  /** What both programs know. */
  private static final Set<String> SHARED =
      Set.of(FaultSearch.class.getName(), FaultSearch.Found.class.getName());

  private final Map<String, byte[]> changed = new HashMap<>();

  /** One mutation after the other; a class may have several. */
  Mutant(List<Mutation> mutations) {
    super(Mutant.class.getClassLoader());
    mutations.forEach(one -> changed.put(one.className(), one.bytes(changed)));
  }

  /** The search in this program. */
  FaultSearch search() throws ReflectiveOperationException {
    Class<?> search = loadClass(FaultSearch.InProgram.class.getName());
    return (FaultSearch) search.getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.poolkeeper.") || SHARED.contains(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes =
        changed.containsKey(name)
            ? changed.get(name)
            : Mutation.original(name).orElseThrow(() -> new ClassNotFoundException(name));
    return defineClass(name, bytes, 0, bytes.length);
  }
}
