package io.poolkeeper.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The ways in which a command shows an answer. */
enum Output {
  TABLE,
  WIDE,
  JSON,
  YAML;

  void print(PrintWriter out, JsonNode answer, Function<JsonNode, List<String>> text) {
    switch (this) {
      case TABLE, WIDE -> text.apply(answer).forEach(out::println);
      case JSON -> out.println(pretty(answer));
      case YAML -> out.print(Serialization.asYaml(answer));
    }
    out.flush();
  }

  private static String pretty(JsonNode answer) {
    try {
      return Leader.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answer);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("JSON that is none", impossible);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
