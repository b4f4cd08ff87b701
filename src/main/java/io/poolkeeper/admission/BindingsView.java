package io.poolkeeper.admission;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** All bindings as they are now, for people and metrics. */
public record BindingsView(BindingsState state) {
  /** Before anything is known, or if bindings are not followed. */
  public static final BindingsView NONE =
      new BindingsView(BindingsState.initial(false, Instant.MIN));

  /** How many bindings each check has answered how, by the check's name. */
  public Map<String, Map<CheckState, Integer>> checks() {
    Map<String, Map<CheckState, Integer>> checks = new HashMap<>();
    for (BindingView binding : state.observed().bindings().values()) {
      for (Check check : binding.admission().reported()) {
        checks
            .computeIfAbsent(check.name(), name -> new EnumMap<>(CheckState.class))
            .merge(check.state(), 1, Integer::sum);
      }
    }
    return checks;
  }

  /** When the longest of the holds began, as far as this process knows; empty if there is none. */
  public Optional<Instant> heldSince() {
    return state.ties().values().stream()
        .flatMap(tie -> tie.heldSince().stream())
        .min(Comparator.naturalOrder());
  }
}
