package io.poolkeeper.console;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The columns that a text takes on a terminal. They are counted by grapheme cluster, which is what
 * a reader sees as one character: an emoji of several code points is as wide as one, a combining
 * mark takes none. Colours take none either. Characters whose width depends on the terminal count
 * as narrow.
 */
public final class DisplayWidth {
  private static final Pattern CLUSTER = Pattern.compile("\\X");
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");
  private static final Pattern NARROW = Pattern.compile("[\\x20-\\x7e]*");

  /** Asks for the picture of a character that also has a plain form, as in {@code ❤️}. */
  private static final Pattern PICTURE = Pattern.compile("\\p{IsEmoji}\\x{fe0f}.*");

  /** East Asian Width W and F of Unicode Annex 11, but for emoji, of which the JDK knows. */
  private static final Pattern WIDE =
      Pattern.compile(
          "[\\x{1100}-\\x{115f}\\x{2329}\\x{232a}\\x{2e80}-\\x{303e}\\x{3041}-\\x{a4cf}"
              + "\\x{a960}-\\x{a97f}\\x{ac00}-\\x{d7a3}\\x{f900}-\\x{faff}\\x{fe10}-\\x{fe19}"
              + "\\x{fe30}-\\x{fe6f}\\x{ff01}-\\x{ff60}\\x{ffe0}-\\x{ffe6}\\x{16fe0}-\\x{18dff}"
              + "\\x{1aff0}-\\x{1b2ff}\\x{1f200}-\\x{1f265}\\x{20000}-\\x{3fffd}].*");

  /** Marks without a letter, and what has no picture at all. */
  private static final Pattern NOTHING = Pattern.compile("[\\p{M}\\p{Cc}\\p{Cf}]+");

  private DisplayWidth() {}

  /** The number of columns of a text. */
  public static int of(String text) {
    if (NARROW.matcher(text).matches()) {
      return text.length();
    }
    Matcher clusters = CLUSTER.matcher(COLOUR.matcher(text).replaceAll(""));
    return clusters.results().mapToInt(cluster -> ofCluster(cluster.group())).sum();
  }

  private static int ofCluster(String cluster) {
    if (NOTHING.matcher(cluster).matches()) {
      return 0;
    }
    boolean wide =
        Character.isEmojiPresentation(cluster.codePointAt(0))
            || PICTURE.matcher(cluster).matches()
            || WIDE.matcher(cluster).matches();
    return wide ? 2 : 1;
  }

  /** The text with blanks after it, up to so many columns. */
  static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - of(text)));
  }

  /** The text if it fits; else its beginning and the mark, together at most so wide. */
  public static String cut(String text, int width, String mark) {
    if (of(text) <= width) {
      return text;
    }
    int left = width - of(mark);
    StringBuilder begin = new StringBuilder();
    for (MatchResult cluster : CLUSTER.matcher(text).results().toList()) {
      left -= ofCluster(cluster.group());
      if (left < 0) {
        break;
      }
      begin.append(cluster.group());
    }
    return begin + mark;
  }
}
