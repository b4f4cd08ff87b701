package io.poolkeeper.config;

import io.poolkeeper.model.Truncated;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Keeps secrets out of messages. A parser quotes the text at its error, so its message is dropped
 * if a secret is near.
 */
final class Secrets {
  static final String MASK = "***";
  private static final int MAX_DETAIL = 200;

  private Secrets() {}

  /** The parser's message, or an empty text if it may quote a secret. */
  static String detail(String message, Path file, int line) {
    var detail = message.lines().findFirst().orElse("").strip();
    if (mentionsSecret(detail) || secretNear(file, line)) {
      return "";
    }
    return ": " + Truncated.to(MAX_DETAIL, detail);
  }

  private static boolean secretNear(Path file, int line) {
    List<String> lines;
    try {
      // Not readAllLines: it fails on bytes that are not UTF-8.
      lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return true;
    }
    // A parser may report an error on the line after it.
    int from = Math.max(0, Math.min(line - 2, lines.size()));
    int to = Math.max(from, Math.min(line, lines.size()));
    return lines.subList(from, to).stream().anyMatch(Secrets::mentionsSecret);
  }

  private static boolean mentionsSecret(String text) {
    return text.toLowerCase(Locale.ROOT).contains("secret");
  }
}
