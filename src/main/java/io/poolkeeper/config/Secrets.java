package io.poolkeeper.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Keeps secrets out of messages. A parser quotes the text that it stumbled over, so its words are
 * dropped wherever a secret is near.
 */
final class Secrets {
  static final String MASK = "***";
  private static final int MAX_DETAIL = 200;

  private Secrets() {}

  /** What a parser says, unless it may be quoting a secret: then nothing. */
  static String detail(String said, Path file, int line) {
    var detail = said.lines().findFirst().orElse("").strip();
    if (mentionsSecret(detail) || secretNear(file, line)) {
      return "";
    }
    return ": " + (detail.length() > MAX_DETAIL ? detail.substring(0, MAX_DETAIL) : detail);
  }

  private static boolean secretNear(Path file, int line) {
    List<String> lines;
    try {
      // Not readAllLines: bytes that are no UTF-8 must not hide the text around them.
      lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return true;
    }
    // A parser notices at the next line what went wrong on the one before.
    int from = Math.max(0, Math.min(line - 2, lines.size()));
    int to = Math.max(from, Math.min(line, lines.size()));
    return lines.subList(from, to).stream().anyMatch(Secrets::mentionsSecret);
  }

  private static boolean mentionsSecret(String text) {
    return text.toLowerCase(Locale.ROOT).contains("secret");
  }
}
