package io.poolkeeper.admission;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.pcollections.TreePSet;

/**
 * The bindings that name one pool. At most one of them owns the pool: the oldest binding of the one
 * namespace that may name it, until that binding is deleted. If no binding may name the pool, one
 * with our finalizer owns it: a binding that stays, or else one that is being deleted, so that its
 * entries are removed.
 *
 * @param namespaces whose bindings may name the pool
 * @param inOrder all bindings; the first is the owner, if any may be
 */
record Claims(Set<String> namespaces, TreePSet<BindingView> inOrder) {
  /** No binding names the pool yet. */
  static Claims by(Set<String> namespaces) {
    return new Claims(namespaces, TreePSet.empty(order(namespaces)));
  }

  private enum Rank {
    ALLOWED,
    STAYS,
    ENDS,
    NEVER
  }

  /** The key only orders objects without a UID. */
  private static Comparator<BindingView> order(Set<String> namespaces) {
    return Comparator.comparing((BindingView view) -> rank(namespaces, view))
        .thenComparing(BindingView::created)
        .thenComparing(BindingView::uid)
        .thenComparing(BindingView::key);
  }

  private static Rank rank(Set<String> namespaces, BindingView view) {
    if (view.deleted().isPresent() && !view.finalizer()) {
      // Something else keeps it. It is never followed, and has nothing to clean up.
      return Rank.NEVER;
    }
    if (only(namespaces, view.key().namespace())) {
      return Rank.ALLOWED;
    }
    Rank withFinalizer = view.deleted().isEmpty() ? Rank.STAYS : Rank.ENDS;
    return view.finalizer() ? withFinalizer : Rank.NEVER;
  }

  /** Whether the bindings of this namespace, and no others, may name the pool. */
  boolean allows(String namespace) {
    return only(namespaces, namespace);
  }

  private static boolean only(Set<String> namespaces, String namespace) {
    return namespaces.size() == 1 && namespaces.contains(namespace);
  }

  Optional<BindingView> owner() {
    return inOrder.stream().findFirst().filter(first -> rank(namespaces, first) != Rank.NEVER);
  }

  Claims with(BindingView view) {
    return new Claims(namespaces, inOrder.plus(view));
  }

  /** The claims without the earlier version of a binding. */
  Claims without(BindingView view) {
    return new Claims(namespaces, inOrder.minus(view));
  }
}
