package io.poolkeeper.console;

import static io.poolkeeper.console.StatusText.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** {@code poolkeeper doctor}: a line for each check, and what to do where something is wrong. */
public record DoctorText(Ink ink) {
  private static final int VERDICT = 11;
  private static final int CHECK = 28;
  private static final int FIX = 4;

  /** The lines; {@code answer} is that of {@code /api/v1/doctor}. */
  public List<String> lines(JsonNode answer) {
    TextLines page = new TextLines(TextLines.WIDTH);
    JsonNode identity = answer.path("identity");
    page.wrapped(
        VERDICT, "Tested", "on %s, %s mode".formatted(text(answer, "pod"), text(answer, "mode")));
    page.wrapped(VERDICT, "Azure", "as " + text(identity, "azure"));
    page.wrapped(VERDICT, "Kubernetes", "as " + text(identity, "kubernetes")).gap();
    int failed = 0;
    for (JsonNode finding : answer.path("findings")) {
      failed += text(finding, "verdict").equals("fail") ? 1 : 0;
      show(page, finding);
    }
    page.gap();
    int checks = answer.path("findings").size();
    page.line(
        failed == 0
            ? "None of %d checks fails.".formatted(checks)
            : "%d of %d checks %s.".formatted(failed, checks, failed == 1 ? "fails" : "fail"));
    return page.lines();
  }

  private void show(TextLines page, JsonNode finding) {
    String verdict = text(finding, "verdict");
    String first = pad(verdict, VERDICT) + pad(text(finding, "check"), CHECK);
    TextLines lines = new TextLines(TextLines.WIDTH);
    lines.wrapped(VERDICT + CHECK, first, text(finding, "detail"));
    lines.lines().forEach(line -> page.line(ink.tone(tone(verdict), line)));
    text(finding, "fix").lines().forEach(line -> fix(page, line));
  }

  /** A sentence is broken into lines; a command or setting is for copying, and stays whole. */
  private static void fix(TextLines page, String line) {
    if (line.endsWith(".") || line.endsWith(":")) {
      page.wrapped(FIX, line);
    } else {
      page.line(" ".repeat(FIX) + line);
    }
  }

  private static String pad(String text, int width) {
    return DisplayWidth.pad(text, Math.max(width, DisplayWidth.of(text) + 1));
  }

  private static String tone(String verdict) {
    return switch (verdict) {
      case "fail" -> "need";
      case "warn" -> "wait";
      default -> "ok";
    };
  }
}
