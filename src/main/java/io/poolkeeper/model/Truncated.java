package io.poolkeeper.model;

/**
 * A text that others wrote, cut to a length. Lengths are in characters (code points), as Kubernetes
 * counts them, so that an emoji is kept or dropped as a whole.
 */
public final class Truncated {
  private static final String MARK = "...";

  private Truncated() {}

  /** The text, or its first {@code length} characters. */
  public static String to(int length, String text) {
    return to(length, text, "");
  }

  /** The text if it is not longer; else its beginning and the mark, together so long. */
  public static String to(int length, String text, String mark) {
    if (text.codePointCount(0, text.length()) <= length) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, length - mark.length())) + mark;
  }

  /** The text if it is not longer; else its beginning and its end, together so long. */
  public static String middle(int length, String text) {
    int whole = text.codePointCount(0, text.length());
    if (whole <= length) {
      return text;
    }
    int end = (length - MARK.length()) / 2;
    return to(length - end, text, MARK) + text.substring(text.offsetByCodePoints(0, whole - end));
  }
}
