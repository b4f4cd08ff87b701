package io.poolkeeper.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of columns. If the columns are too wide together, the widest one is cut; the first column is
 * cut last. A line end in a cell becomes a blank.
 */
final class Table {
  private static final String BETWEEN = "  ";
  private static final String CUT = "..";

  /** A column that is cut keeps at least so much. */
  private static final int LEAST = 12;

  private record Row(String tone, List<String> cells) {}

  private final List<Row> rows = new ArrayList<>();
  private final List<String> head;

  Table(String... head) {
    this.head = List.of(head);
  }

  Table row(String tone, String... cells) {
    rows.add(new Row(tone, Arrays.stream(cells).map(cell -> cell.replace('\n', ' ')).toList()));
    return this;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, at most so wide; a column without any text is left out. */
  List<String> lines(int width, Ink ink) {
    int[] widths = widths(width);
    List<String> lines = new ArrayList<>();
    if (!head.stream().allMatch(String::isEmpty)) {
      lines.add(ink.dim(line(head, widths)));
    }
    rows.forEach(row -> lines.add(ink.tone(row.tone(), line(row.cells(), widths))));
    return lines;
  }

  private int[] widths(int width) {
    int[] widths = new int[head.size()];
    for (int column = 0; column < widths.length; column++) {
      for (Row row : rows) {
        widths[column] = Math.max(widths[column], DisplayWidth.of(row.cells().get(column)));
      }
      if (widths[column] > 0) {
        widths[column] = Math.max(widths[column], DisplayWidth.of(head.get(column)));
      }
    }
    while (total(widths) > width) {
      int widest = widest(widths);
      if (widths[widest] <= LEAST) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  /** The widest column; the first one, which is a name, only if no other can be cut. */
  private static int widest(int[] widths) {
    int widest = 0;
    int most = LEAST;
    for (int column = 1; column < widths.length; column++) {
      if (widths[column] > most) {
        widest = column;
        most = widths[column];
      }
    }
    return widest;
  }

  private static int total(int[] widths) {
    long shown = Arrays.stream(widths).filter(width -> width > 0).count();
    return Arrays.stream(widths).sum() + Math.toIntExact(Math.max(0, shown - 1)) * BETWEEN.length();
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      if (widths[column] > 0) {
        String cell = DisplayWidth.cut(cells.get(column), widths[column], CUT);
        line.append(line.isEmpty() ? "" : BETWEEN).append(DisplayWidth.pad(cell, widths[column]));
      }
    }
    return line.toString().stripTrailing();
  }
}
