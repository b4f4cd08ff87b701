package io.poolkeeper.ops;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A label of a metric; the values are empty if they are not known from the start. */
record Label(String name, List<String> values) {
  Label(String name, String... values) {
    this(name, List.of(values));
  }

  /** A label whose values are made of the names of constants, as {@link #textOf} does. */
  static Label of(String name, Enum<?>[] values) {
    return new Label(name, Arrays.stream(values).map(Label::textOf).toList());
  }

  /** A label whose values are the texts of constants, as their {@code toString} has them. */
  static Label ofTexts(String name, Enum<?>[] values) {
    return new Label(name, Arrays.stream(values).map(Enum::toString).toList());
  }

  Label and(String value) {
    return new Label(name, Stream.concat(values.stream(), Stream.of(value)).toList());
  }

  /** All combinations of values; none if some are not known. */
  static List<String[]> series(List<Label> labels) {
    List<String[]> all = List.<String[]>of(new String[0]);
    for (Label label : labels) {
      all = all.stream().flatMap(label::appendedTo).toList();
    }
    return all;
  }

  private Stream<String[]> appendedTo(String... before) {
    return values.stream()
        .map(
            value -> Stream.concat(Arrays.stream(before), Stream.of(value)).toArray(String[]::new));
  }

  /** A constant for metrics and JSON, such as {@code drain-retry}. The form is a contract. */
  static String textOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The label in docs/metrics.md. */
  @Override
  public String toString() {
    String all = values.stream().map("`%s`"::formatted).collect(Collectors.joining(", "));
    return "`" + name + "`" + (all.isEmpty() ? "" : ": " + all);
  }
}
