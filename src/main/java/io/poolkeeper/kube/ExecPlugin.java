package io.poolkeeper.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.ExecEnvVar;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A credential plugin of a kubeconfig: a program that prints a token as an {@code ExecCredential}.
 * Its input is empty. Its error output is shown only if the program fails, as one short line
 * without what looks like a secret.
 */
final class ExecPlugin implements Supplier<RenewedToken.Token> {
  /** How long the plugin may run. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  /** How long the plugin's output may stay open once the plugin has ended. */
  private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(5);

  private static final String GROUP = "client.authentication.k8s.io/";
  private static final List<String> VERSIONS = List.of(GROUP + "v1", GROUP + "v1beta1");

  /** The most bytes that are kept of an output; a token has a few thousand. */
  private static final int MAX_OUTPUT = 1 << 20;

  /** The most characters of an output that a message quotes. */
  private static final int MAX_QUOTE = 300;

  /** Shorter values of the plugin's environment are words that messages need. */
  private static final int MIN_SECRET_LENGTH = 8;

  /** Long words that are no path, address or UUID: tokens and keys. */
  private static final Pattern SECRET = Pattern.compile("(?<![\\w/.])[\\w+=.~-][\\w+/=.~-]{39,}");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExecConfig exec;
  private final String title;
  private final List<String> command;
  private final String info;
  private final Duration limit;

  /**
   * A plugin whose configuration has no {@link #problems}.
   *
   * @param file the kubeconfig that names it
   * @param cluster what the plugin is given about the cluster; empty for nothing
   */
  ExecPlugin(Path file, ExecConfig exec, Optional<ObjectNode> cluster, Duration limit) {
    this.exec = exec;
    this.limit = limit;
    String program = exec.getCommand();
    boolean relative = program.contains(File.separator);
    List<String> words = new ArrayList<>();
    words.add(
        relative ? file.toAbsolutePath().resolveSibling(program).normalize().toString() : program);
    words.addAll(Objects.requireNonNullElse(exec.getArgs(), List.of()));
    command = List.copyOf(words);
    title = "%s: exec: command %s".formatted(file, program);
    ObjectNode spec = JSON.createObjectNode().put("interactive", false);
    cluster.ifPresent(object -> spec.set("cluster", object));
    info =
        JSON.createObjectNode()
            .put("apiVersion", exec.getApiVersion())
            .put("kind", "ExecCredential")
            .set("spec", spec)
            .toString();
  }

  /** What of a plugin's configuration cannot be followed. */
  static List<String> problems(ExecConfig exec) {
    List<String> problems = new ArrayList<>();
    if (exec.getCommand() == null || exec.getCommand().isBlank()) {
      problems.add("exec: command: found nothing, expected a program");
    }
    if (!VERSIONS.contains(String.valueOf(exec.getApiVersion()))) {
      problems.add(
          "exec: apiVersion: found \"%s\", allowed is one of %s"
              .formatted(exec.getApiVersion(), VERSIONS));
    }
    for (ExecEnvVar variable : Objects.requireNonNullElse(exec.getEnv(), List.<ExecEnvVar>of())) {
      if (variable == null || variable.getName() == null || variable.getValue() == null) {
        problems.add("exec: env: found an entry without name or value, expected both");
      }
    }
    if (Objects.requireNonNullElse(exec.getArgs(), List.of()).contains(null)) {
      problems.add("exec: args: found nothing in an entry, expected a text");
    }
    if ("Always".equals(exec.getInteractiveMode())) {
      problems.add("exec: interactiveMode: found Always, allowed is Never or IfAvailable");
    }
    return problems;
  }

  /**
   * Runs the plugin.
   *
   * @throws KubeconfigException if it gives no token
   */
  @Override
  public RenewedToken.Token get() {
    return parse(run());
  }

  private String run() {
    Process process = start();
    try {
      process.getOutputStream().close();
      CompletableFuture<String> out = read(process.getInputStream());
      CompletableFuture<String> err = read(process.getErrorStream());
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        kill(process);
        throw failed("no answer within %d s".formatted(limit.toSeconds()), output(err));
      }
      if (process.exitValue() != 0) {
        throw failed("exit code " + process.exitValue(), output(err));
      }
      return output(out);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw failed("interrupted", "");
    } catch (IOException | ExecutionException | TimeoutException unread) {
      throw failed("its output cannot be read", "");
    } finally {
      kill(process);
    }
  }

  private static void kill(Process process) {
    // The plugin before its children: a shell complains of a child that was killed.
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
  }

  private Process start() {
    ProcessBuilder builder = new ProcessBuilder(command);
    for (ExecEnvVar variable : environment()) {
      builder.environment().put(variable.getName(), variable.getValue());
    }
    builder.environment().put("KUBERNETES_EXEC_INFO", info);
    try {
      return builder.start();
    } catch (IOException missing) {
      String hint = Objects.requireNonNullElse(exec.getInstallHint(), "");
      throw failed("cannot be started: " + missing.getMessage(), hint);
    }
  }

  private List<ExecEnvVar> environment() {
    return Objects.requireNonNullElse(exec.getEnv(), List.of());
  }

  /** The whole stream is taken, or the program would wait; its first part is kept. */
  private static CompletableFuture<String> read(InputStream stream) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("exec-plugin")
        .start(
            () -> {
              try (stream) {
                byte[] first = stream.readNBytes(MAX_OUTPUT);
                stream.transferTo(OutputStream.nullOutputStream());
                text.complete(new String(first, StandardCharsets.UTF_8));
              } catch (IOException | UncheckedIOException closed) {
                text.completeExceptionally(closed);
              }
            });
    return text;
  }

  private static String output(CompletableFuture<String> stream)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stream.get(OUTPUT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private RenewedToken.Token parse(String answer) {
    JsonNode read;
    try {
      read = JSON.readTree(answer);
    } catch (JsonProcessingException malformed) {
      // Its message may hold a part of a token.
      throw failed("its answer is no JSON", "");
    }
    String version = read.path("apiVersion").asText();
    if (!version.equals(exec.getApiVersion())) {
      throw failed(
          "its answer has apiVersion \"%s\", expected is \"%s\""
              .formatted(quote(version), exec.getApiVersion()),
          "");
    }
    JsonNode status = read.path("status");
    if (status.hasNonNull("clientCertificateData") || status.hasNonNull("clientKeyData")) {
      throw failed("it gives a client certificate; only tokens are supported", "");
    }
    String text = status.path("token").asText("").strip();
    if (!RenewedToken.isToken(text)) {
      throw failed("its answer has no usable status.token", "");
    }
    return new RenewedToken.Token(text, renewAt(status.path("expirationTimestamp").asText("")));
  }

  /** So early that another token can be fetched before this one expires. */
  private Instant renewAt(String expiration) {
    try {
      return expiration.isEmpty()
          ? Instant.MAX
          : OffsetDateTime.parse(expiration).toInstant().minus(limit);
    } catch (DateTimeException malformed) {
      throw failed(
          "its answer has status.expirationTimestamp \"%s\", expected is a time as in RFC 3339"
              .formatted(quote(expiration)),
          "");
    }
  }

  private KubeconfigException failed(String problem, String output) {
    String quote = quote(output);
    return new KubeconfigException(title + ": " + problem + (quote.isEmpty() ? "" : ": " + quote));
  }

  /** The end of a text, where a program says why it ends, as one line without secrets. */
  private String quote(String text) {
    String clean = text;
    for (ExecEnvVar variable : environment()) {
      String value = variable.getValue();
      clean = isLong(value) ? clean.replace(value, "***") : clean;
    }
    String line = SECRET.matcher(clean).replaceAll("***").replaceAll("[\\s\\p{Cc}]+", " ").strip();
    int length = line.codePointCount(0, line.length());
    return length <= MAX_QUOTE
        ? line
        : "..." + line.substring(line.offsetByCodePoints(0, length - MAX_QUOTE));
  }

  private static boolean isLong(@Nullable String value) {
    return value != null && value.length() >= MIN_SECRET_LENGTH;
  }
}
