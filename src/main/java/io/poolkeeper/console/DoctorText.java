package io.poolkeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** {@code poolkeeper doctor}: a line for each check, and what to do where something is wrong. */
public final class DoctorText {
  private static final int VERDICT = 11;
  private static final int CHECK = 28;
  private static final int FIX = 4;

  private final Ink ink;

  public DoctorText(Ink ink) {
    this.ink = ink;
  }

  /** The lines; {@code answer} is that of {@code /api/v1/doctor}. */
  public List<String> lines(JsonNode answer) {
    TextLines page = new TextLines(TextLines.WIDTH);
    JsonNode who = answer.path("identity");
    page.wrapped(
        VERDICT,
        "Tested",
        "on %s, %s mode".formatted(answer.path("pod").asText(), answer.path("mode").asText()));
    page.wrapped(VERDICT, "Azure", "as " + who.path("azure").asText());
    page.wrapped(VERDICT, "Kubernetes", "as " + who.path("kubernetes").asText()).gap();
    int failed = 0;
    for (JsonNode finding : answer.path("findings")) {
      failed += finding.path("verdict").asText().equals("fail") ? 1 : 0;
      show(page, finding);
    }
    page.gap();
    int all = answer.path("findings").size();
    page.line(
        failed == 0
            ? "None of %d checks fails.".formatted(all)
            : "%d of %d checks %s.".formatted(failed, all, failed == 1 ? "fails" : "fail"));
    return page.lines();
  }

  private void show(TextLines page, JsonNode finding) {
    String verdict = finding.path("verdict").asText();
    String first = pad(verdict, VERDICT) + pad(finding.path("check").asText(), CHECK);
    TextLines lines = new TextLines(TextLines.WIDTH);
    lines.wrapped(VERDICT + CHECK, first, finding.path("detail").asText());
    lines.lines().forEach(line -> page.line(ink.tone(tone(verdict), line)));
    finding.path("fix").asText().lines().forEach(line -> fix(page, line));
  }

  /** Commands and settings are for copying, and stay whole. */
  private static void fix(TextLines page, String line) {
    boolean prose = line.endsWith(".") || line.endsWith(":");
    if (prose) {
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
