package io.poolkeeper.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests a known word for a misspelled one. */
public final class Suggestion {
  private static final int MAX_WORD = 100;

  private Suggestion() {}

  /** The nearest word by edit distance in any case, if it is near enough. */
  public static Optional<String> nearest(String word, Collection<String> known) {
    var kebab = kebab(word);
    if (kebab.length() > MAX_WORD) {
      return Optional.empty();
    }
    int limit = Math.max(1, Math.min(3, kebab.length() / 3));
    return known.stream()
        .filter(candidate -> Math.abs(candidate.length() - word.length()) <= 2 * limit)
        .filter(candidate -> distance(kebab, kebab(candidate)) <= limit)
        .min(
            Comparator.<String>comparingInt(candidate -> distance(kebab, kebab(candidate)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Optimal string alignment: insert, delete, replace or swap adjacent characters. */
  static int distance(String a, String b) {
    var d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        d[i][j] = i == 0 || j == 0 ? i + j : cheapest(d, a, b, i, j);
      }
    }
    return d[a.length()][b.length()];
  }

  private static int cheapest(int[][] d, String a, String b, int i, int j) {
    int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replace, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
  }

  /** Our spelling of a word in another one's case. */
  static String kebab(String word) {
    return word.replaceAll("([a-z0-9])([A-Z])", "$1-$2").replace('_', '-').toLowerCase(Locale.ROOT);
  }
}
