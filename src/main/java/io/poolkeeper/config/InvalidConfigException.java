package io.poolkeeper.config;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** The configuration is invalid. The message has one problem per line. */
public final class InvalidConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  InvalidConfigException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
