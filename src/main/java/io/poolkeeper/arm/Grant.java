package io.poolkeeper.arm;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Actions that a role gives or a deny assignment takes; {@code *} stands for any text, case is
 * ignored.
 *
 * @param except actions that are not given or taken even so
 */
public record Grant(List<String> actions, List<String> except) {
  public Grant {
    actions = List.copyOf(actions);
    except = List.copyOf(except);
  }

  public boolean has(String action) {
    return matches(actions, action) && !matches(except, action);
  }

  private static boolean matches(List<String> patterns, String action) {
    return patterns.stream().anyMatch(pattern -> glob(pattern).matcher(action).matches());
  }

  private static Pattern glob(String pattern) {
    return Pattern.compile(
        Arrays.stream(pattern.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")),
        Pattern.CASE_INSENSITIVE);
  }
}
