package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All details of one pool for people, computed from the pool's state only when they ask. */
public record PoolPicture(PoolState state) {
  public static final PoolPicture UNKNOWN = new PoolPicture(PoolState.initial());

  public enum Change {
    ADD,
    REMOVE,
    SET,
    KEEP
  }

  /**
   * An entry as it is, or as it is to be.
   *
   * @param node its name, which is that of its node
   * @param state its admin state; empty if it is not in the pool yet
   * @param wanted its admin state after the next write; empty if it will not be in the pool
   * @param why the reason of the change, or of an entry that is kept; empty if there is none
   */
  public record Entry(
      String node,
      Optional<Address> address,
      Optional<AdminState> state,
      Optional<AdminState> wanted,
      Change change,
      String why) {}

  /** Whether a call has shown the pool to this actor. */
  public boolean seen() {
    return state.observed().isPresent();
  }

  /** The addresses of the members whose nodes leave: it is a drain that sets those Down. */
  public Set<Address> leaving() {
    Set<NodeKey> nodes = state.drain().set().leaving().keySet();
    return state.desired().members().members().entrySet().stream()
        .filter(member -> nodes.contains(member.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Whether entries that stay, though their nodes are no members, may serve clients. */
  public boolean keeps() {
    DesiredMembers members = state.desired().members();
    return state.observed().stream()
        .flatMap(view -> view.entries().stream())
        .filter(entry -> entry.adminState() != AdminState.DOWN)
        .anyMatch(
            entry ->
                !members.keepUnknown().isEmpty()
                    || entry.address().filter(members.kept()::contains).isPresent());
  }

  /** All entries, those that change first. */
  public List<Entry> entries() {
    PoolEdit edit = written();
    List<Entry> entries = new ArrayList<>();
    edit.add()
        .forEach(
            (address, name) ->
                entries.add(
                    new Entry(
                        name,
                        Optional.of(address),
                        Optional.empty(),
                        Optional.of(edit.adminStates().getOrDefault(name, AdminState.NONE)),
                        Change.ADD,
                        "an endpoint runs there")));
    state
        .observed()
        .ifPresent(
            view -> {
              AdminPlan plan = state.drain().plan(view);
              view.entries().forEach(entry -> entries.add(entry(entry, edit, plan)));
            });
    entries.sort(Comparator.comparing(Entry::change));
    return entries;
  }

  private Entry entry(PoolEntry entry, PoolEdit edit, AdminPlan plan) {
    boolean removes = edit.removes(entry.name(), entry.address());
    AdminState next = edit.adminStates().getOrDefault(entry.name(), entry.adminState());
    Change unchanged = next == entry.adminState() ? Change.KEEP : Change.SET;
    Change change = removes ? Change.REMOVE : unchanged;
    String why =
        switch (change) {
          case ADD, REMOVE -> "no endpoint runs there";
          case SET -> next == AdminState.DOWN ? "its node leaves" : "its node is in service";
          case KEEP -> kept(entry, plan);
        };
    return new Entry(
        entry.name(),
        entry.address(),
        Optional.of(entry.adminState()),
        removes ? Optional.empty() : Optional.of(next),
        change,
        why);
  }

  /** Why an entry stays although it is not as it should be. */
  private String kept(PoolEntry entry, AdminPlan plan) {
    if (state.desired().bound().filter(bound -> !bound.mark().on(entry.name())).isPresent()) {
      return "not ours";
    }
    boolean held = state.drain().set().nodes().of(entry).filter(plan.held()::contains).isPresent();
    if (held) {
      return "its node leaves; kept by min-active";
    }
    Set<Address> kept = state.desired().members().kept();
    return entry.address().filter(kept::contains).isPresent()
        ? "its node is to be deleted; stays, and is not added again"
        : "";
  }

  /** Which endpoints count for no entry, and why; empty if all do. */
  public List<String> ignored() {
    Set<String> texts = new LinkedHashSet<>();
    for (Ownership ownership : state.desired().services().values()) {
      if (ownership.level() instanceof Level.Exactly exactly) {
        texts.add(exactly.ignored().toString());
      }
    }
    texts.remove("");
    return List.copyOf(texts);
  }

  /** What an attempt would write now if nothing held it. */
  public PoolEdit edit() {
    if (state.observed().isEmpty()) {
      return PoolEdit.NONE;
    }
    PoolView view = state.observed().get();
    return PoolPlan.of(view, state.desired().members()).with(state.drain().plan(view).edit());
  }

  /** The same with each entry once: no state of one that goes, nor an entry that ARM refuses. */
  public PoolEdit written() {
    return state.observed().map(view -> written(view, edit())).orElse(PoolEdit.NONE);
  }

  private static PoolEdit written(PoolView view, PoolEdit edit) {
    SortedMap<String, AdminState> states = new TreeMap<>(edit.adminStates());
    view.entries().stream()
        .filter(entry -> edit.removes(entry.name(), entry.address()))
        .forEach(entry -> states.remove(entry.name()));
    return PoolPlan.feasible(view, edit.with(new TreeMap<>())).with(states);
  }

  /** The etag that was seen last; empty after a write until the next read. */
  public String etag() {
    return state.observed().map(PoolView::etag).orElse("");
  }

  /** How many entries had that admin state, those without an address included. */
  public int count(AdminState adminState) {
    return state.observed().map(view -> view.count(adminState)).orElse(0);
  }

  /** What is wrong in the pool as it was seen last, and since when; monotonic time. */
  public SortedMap<Leftover, Instant> leftovers() {
    return state.leftovers().since();
  }

  /** The admin states of a node's entries. */
  public List<AdminState> statesOf(NodeKey node) {
    return statesOf(Set.of(node)).getOrDefault(node, List.of());
  }

  /** The admin states of the entries of some nodes, without those that have none. */
  public Map<NodeKey, List<AdminState>> statesOf(Set<NodeKey> nodes) {
    Map<NodeKey, List<AdminState>> states = new HashMap<>();
    for (PoolEntry entry : state.observed().map(PoolView::entries).orElse(List.of())) {
      Optional<NodeKey> node = state.drain().set().nodes().of(entry).filter(nodes::contains);
      node.ifPresent(
          owner -> states.computeIfAbsent(owner, key -> new ArrayList<>()).add(entry.adminState()));
    }
    return states;
  }

  /** Whether the states of its entries matter, so that they follow their nodes. */
  public boolean balanced() {
    return state.observed().filter(AdminPlan::balanced).isPresent();
  }

  /** When the attempt in flight began; empty if none is in flight. */
  public Optional<Instant> attemptSince() {
    return state.phase() instanceof Phase.Attempting attempting
        ? Optional.of(attempting.attempt().startedAt())
        : Optional.empty();
  }

  /** When admin states are tried again, whatever keeps members waiting; empty in an attempt. */
  public Optional<Instant> drainDue() {
    return state.phase() instanceof Phase.Quiescent ? state.drainDue() : Optional.empty();
  }

  /** Why members cannot be written as they are; empty if they can. */
  public Optional<String> leftAlone() {
    return state.leftAlone();
  }

  /** Since when the changes have waited that are being written; empty if no PUT is in flight. */
  public List<Instant> writing() {
    return state.phase() instanceof Phase.Writing writing
        ? writing.attempt().operations().stream().map(UpdateQueue.Operation::queuedAt).toList()
        : List.of();
  }

  /** How many times the pool failed in a row. */
  public int failures() {
    return state.failing().map(Failing::failures).orElse(0);
  }

  /** The rules that send to the pool, in order. */
  public List<String> rules() {
    return state.observed().stream().flatMap(view -> view.rules().stream()).sorted().toList();
  }
}
