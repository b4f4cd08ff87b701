package io.poolkeeper.console;

import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/** Lines of a text under construction, none longer than its width unless a word is. */
final class TextLines {
  /** What everybody's terminal has. */
  static final int WIDTH = 80;

  private final List<String> lines = new ArrayList<>();
  private final int width;

  TextLines(int width) {
    this.width = width;
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Adds a line as it is. */
  TextLines line(String text) {
    lines.add(text.stripTrailing());
    return this;
  }

  TextLines gap() {
    return lines.isEmpty() || lines.getLast().isEmpty() ? this : line("");
  }

  TextLines all(List<String> texts) {
    texts.forEach(this::line);
    return this;
  }

  /** Broken between words; the lines begin with so many blanks, the first with a text there. */
  TextLines wrapped(int indent, String first, String text) {
    String lead = DisplayWidth.pad(first, indent);
    StringBuilder line = new StringBuilder(lead);
    int columns = DisplayWidth.of(lead);
    boolean empty = true;
    StringTokenizer words = new StringTokenizer(text);
    while (words.hasMoreTokens()) {
      String word = words.nextToken();
      int wide = DisplayWidth.of(word);
      if (!empty && columns + 1 + wide > width) {
        line(line.toString());
        line = new StringBuilder(" ".repeat(indent));
        columns = indent;
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      columns += (empty ? 0 : 1) + wide;
      empty = false;
    }
    return line(line.toString());
  }

  TextLines wrapped(int indent, String text) {
    return text.isBlank() ? this : wrapped(indent, "", text);
  }
}
