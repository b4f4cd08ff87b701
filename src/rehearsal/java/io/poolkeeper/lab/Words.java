package io.poolkeeper.lab;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Texts as people of this world write them, for whatever a tenant, an operator or Azure may fill
 * in: annotations, reasons, messages. One of each kind that has broken a reader somewhere.
 */
public final class Words {
  public static final String UMLAUTS = "Änderung für größere Überprüfung";
  public static final String HAN = "计划内维护：节点升级";

  /** Outside of the basic plane, joined, with a modifier. */
  public static final String EMOJI = "🚀 👩‍👩‍👧 👍🏽";

  /** An e, and an accent of its own. */
  public static final String COMBINING = "de\u0301ploye\u0301";

  /** What follows is shown from right to left. */
  public static final String OVERRIDE = "safe\u202Egpj.exe";

  public static final String QUOTE = "it's \"quoted\" \\ <b>&amp;</b>";
  public static final String NEWLINE = "first line\nsecond line\r\n\tthird";

  /** 4 KB in UTF-8, three bytes each. */
  public static final String LONG = "長".repeat(4_096 / 3);

  /** Those of one short line. */
  public static final List<String> SHORT = List.of(UMLAUTS, HAN, EMOJI, COMBINING, OVERRIDE, QUOTE);

  public static final List<String> ALL =
      Stream.concat(SHORT.stream(), Stream.of(NEWLINE, LONG)).toList();

  /** All of them on one object, as a tool of a tenant might leave them there. */
  public static final Map<String, String> ANNOTATIONS =
      IntStream.range(0, ALL.size())
          .boxed()
          .collect(Collectors.toUnmodifiableMap(at -> "example.com/note-" + at, ALL::get));

  private Words() {}
}
