package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bad input in the user's file: each case of {@code config/bad-settings.txt} with all of its
 * messages. A case is some lines after the two required ones, and then the messages, indented.
 */
class BadSettingsTest {
  private static final String INDENT = "  ";

  @TempDir private Path temp;

  record Case(List<String> lines, List<String> messages) {
    @Override
    public String toString() {
      return String.join(" / ", lines);
    }
  }

  static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream table =
        Objects.requireNonNull(
            BadSettingsTest.class.getResourceAsStream("/config/bad-settings.txt"))) {
      for (String line :
          new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        boolean message = line.startsWith(INDENT);
        if (line.startsWith("#")) {
          continue;
        }
        if (!message && (cases.isEmpty() || !cases.getLast().messages().isEmpty())) {
          cases.add(new Case(new ArrayList<>(), new ArrayList<>()));
        }
        Case last = cases.getLast();
        (message ? last.messages() : last.lines()).add(message ? line.substring(2) : line);
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void value_notAllowed(Case bad) {
    assertThat(new ConfigDir(temp).problems(bad.lines().toArray(String[]::new)))
        .containsExactlyElementsOf(bad.messages());
  }

  @Test
  void cases_areAllRead() throws IOException {
    assertThat(cases()).hasSize(198).doesNotHaveDuplicates();
  }
}
