package io.poolkeeper.model;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;

/** The texts in a properties file beside a class, in UTF-8. */
public final class Texts {
  private Texts() {}

  public static Properties of(Class<?> beside, String file) {
    Properties texts = new Properties();
    try (var in =
        new InputStreamReader(
            Objects.requireNonNull(beside.getResourceAsStream(file)), StandardCharsets.UTF_8)) {
      texts.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
