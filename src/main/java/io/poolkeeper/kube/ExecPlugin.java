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
  /** How long it may run. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  /** How long its output may stay open once it has ended. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static final String GROUP = "client.authentication.k8s.io/";
  private static final List<String> VERSIONS = List.of(GROUP + "v1", GROUP + "v1beta1");

  /** In bytes, of each output; a token has a few thousand. */
  private static final int MAX_OUTPUT = 1 << 20;

  /** In characters. */
  private static final int MAX_SHOWN = 300;

  /** In characters; shorter values of its environment are words that messages need. */
  private static final int MIN_SECRET = 8;

  /** Long words that are no path, address or UUID: tokens and keys. */
  private static final Pattern SECRET = Pattern.compile("(?<![\\w/.])[\\w+=.~-][\\w+/=.~-]{39,}");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExecConfig exec;
  private final String title;
  private final List<String> command;
  private final String info;
  private final Duration limit;

  /**
   * Checks nothing: see {@link #problems}.
   *
   * @param file the kubeconfig that names it
   * @param cluster what it wants to know about the cluster, if it is to have that
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
    cluster.ifPresent(known -> spec.set("cluster", known));
    info =
        JSON.createObjectNode()
            .put("apiVersion", exec.getApiVersion())
            .put("kind", "ExecCredential")
            .set("spec", spec)
            .toString();
  }

  /** What of its configuration cannot be followed. */
  static List<String> problems(ExecConfig exec) {
    List<String> found = new ArrayList<>();
    if (exec.getCommand() == null || exec.getCommand().isBlank()) {
      found.add("exec: command: found nothing, expected a program");
    }
    if (!VERSIONS.contains(String.valueOf(exec.getApiVersion()))) {
      found.add(
          "exec: apiVersion: found \"%s\", allowed is one of %s"
              .formatted(exec.getApiVersion(), VERSIONS));
    }
    for (ExecEnvVar variable : Objects.requireNonNullElse(exec.getEnv(), List.<ExecEnvVar>of())) {
      if (variable == null || variable.getName() == null || variable.getValue() == null) {
        found.add("exec: env: found an entry without name or value, expected both");
      }
    }
    if (Objects.requireNonNullElse(exec.getArgs(), List.of()).contains(null)) {
      found.add("exec: args: found nothing in an entry, expected a text");
    }
    if ("Always".equals(exec.getInteractiveMode())) {
      found.add("exec: interactiveMode: found Always, allowed is Never or IfAvailable");
    }
    return found;
  }

  /**
   * Runs it.
   *
   * @throws KubeconfigException if it gives no token
   */
  @Override
  public RenewedToken.Token get() {
    return token(run());
  }

  private String run() {
    Process process = start();
    try {
      process.getOutputStream().close();
      CompletableFuture<String> out = read(process.getInputStream());
      CompletableFuture<String> err = read(process.getErrorStream());
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        kill(process);
        throw failed("no answer within %d s".formatted(limit.toSeconds()), within(err));
      }
      if (process.exitValue() != 0) {
        throw failed("exit code " + process.exitValue(), within(err));
      }
      return within(out);
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

  private static String within(CompletableFuture<String> stream)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stream.get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private RenewedToken.Token token(String answer) {
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
              .formatted(shown(version), exec.getApiVersion()),
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
    return new RenewedToken.Token(text, until(status.path("expirationTimestamp").asText("")));
  }

  /** So early that another can be had before it expires. */
  private Instant until(String expiration) {
    try {
      return expiration.isEmpty()
          ? Instant.MAX
          : OffsetDateTime.parse(expiration).toInstant().minus(limit);
    } catch (DateTimeException malformed) {
      throw failed(
          "its answer has status.expirationTimestamp \"%s\", expected is a time as in RFC 3339"
              .formatted(shown(expiration)),
          "");
    }
  }

  private KubeconfigException failed(String what, String said) {
    String shown = shown(said);
    return new KubeconfigException(title + ": " + what + (shown.isEmpty() ? "" : ": " + shown));
  }

  /** One line without secrets, from its end: there a program says why it ends. */
  private String shown(String text) {
    String clean = text;
    for (ExecEnvVar variable : environment()) {
      String value = variable.getValue();
      clean = isLong(value) ? clean.replace(value, "***") : clean;
    }
    String line = SECRET.matcher(clean).replaceAll("***").replaceAll("[\\s\\p{Cc}]+", " ").strip();
    int length = line.codePointCount(0, line.length());
    return length <= MAX_SHOWN
        ? line
        : "..." + line.substring(line.offsetByCodePoints(0, length - MAX_SHOWN));
  }

  private static boolean isLong(@Nullable String value) {
    return value != null && value.length() >= MIN_SECRET;
  }
}
