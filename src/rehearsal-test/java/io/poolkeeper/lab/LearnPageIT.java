package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.cli.Cli;
import io.poolkeeper.process.Entropy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The faults of docs/learn.md, in order, on the shipped settings: each line is caused by the same
 * requests as {@code curl} and {@code kubectl} make, and {@code status} says what the page has. In
 * two labs at once, as they wait most of the time.
 */
@Execution(ExecutionMode.CONCURRENT)
class LearnPageIT {
  private static final Path PAGE = Path.of("docs", "learn.md");
  private static final Pattern BLOCK =
      Pattern.compile("^```(?:sh|text)\\n(.*?)\\n```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern VARIABLE = Pattern.compile("(\\w+)='?([^' ]+)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final String WELL = "All 15 pools are in sync.";

  private final Map<String, String> environment = new HashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private Lab lab;

  @BeforeEach
  void keep() throws Exception {
    LabOptions options =
        new LabOptions(
            Scenario.TOUR, 1, Optional.empty(), LatencyProfile.FAST, true, 0, Optional.empty(), 1);
    lab = Lab.open(options, Entropy.system(), line -> {});
    lab.startController();
    VARIABLE
        .matcher(lab.environment())
        .results()
        .forEach(found -> environment.put(found.group(1), found.group(2)));
  }

  @AfterEach
  void stop() {
    http.close();
    lab.close();
  }

  /** The first ones wait for a listing, the others for a watch to be lost for good. */
  @ParameterizedTest
  @CsvSource({"0, 3", "3, 5"})
  void eachFault_showsWhatThePageSays_andEndsByItsLine(int from, int to) throws Exception {
    List<String> blocks =
        BLOCK.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();
    assertThat(blocks).hasSize(5 * 3);
    eventually(status -> assertThat(status).contains(WELL));

    for (int i = from * 3; i < to * 3; i += 3) {
      String cause = blocks.get(i);
      Pattern shown = pattern(blocks.get(i + 1));
      run(cause);
      eventually(status -> assertThat(status).as(cause).containsPattern(shown));

      run(blocks.get(i + 2));
      eventually(status -> assertThat(status).contains(WELL).doesNotContainPattern(shown));
    }
  }

  /** Asked more often, the command takes much of a core. */
  private void eventually(Consumer<String> assertion) {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertion.accept(status()));
  }

  /** An ellipsis is any text. */
  private static Pattern pattern(String shown) {
    return Pattern.compile(
        Arrays.stream(shown.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*?")));
  }

  /** With one blank for each gap, as lines are broken at 80 columns. */
  private String status() {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    String kubeconfig = environment.get("KUBECONFIG");
    Cli.run(List.of("status", "--kubeconfig", kubeconfig), printer, printer, Map.of());
    return out.toString().replaceAll("(?<=\\S) *\\n +(?=\\S)", " ");
  }

  private void run(String line) throws Exception {
    for (String command : line.split(" && ", -1)) {
      List<String> words = WORD.matcher(command).results().map(this::word).toList();
      switch (words.getFirst()) {
        case "curl" -> curl(words);
        case "kubectl" -> kubectl(words);
        default -> throw new AssertionError(command);
      }
    }
  }

  private String word(MatchResult found) {
    String text = found.group(1);
    if (text == null) {
      text = found.group(2) == null ? found.group(3) : found.group(2);
      for (var variable : environment.entrySet()) {
        text = text.replace("$" + variable.getKey(), variable.getValue());
      }
    }
    return text;
  }

  private static Optional<String> option(List<String> words, String name) {
    int at = words.indexOf(name);
    return at < 0 ? Optional.empty() : Optional.of(words.get(at + 1));
  }

  private void curl(List<String> words) throws Exception {
    Optional<String> body = option(words, "-d");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(words.getLast()))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .method(
                option(words, "-X").orElse(body.isPresent() ? "POST" : "GET"),
                HttpRequest.BodyPublishers.ofString(body.orElse("")))
            .build();
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
  }

  private void kubectl(List<String> words) {
    KubernetesClient client = lab.cluster.client();
    if (words.contains("lease")) {
      client
          .leases()
          .inNamespace(option(words, "-n").orElseThrow())
          .withName(option(words, "lease").orElseThrow())
          .patch(PatchContext.of(PatchType.JSON_MERGE), option(words, "-p").orElseThrow());
      return;
    }
    Resource<Node> node = client.nodes().withName(option(words, "node").orElseThrow());
    PatchContext strategic = PatchContext.of(PatchType.STRATEGIC_MERGE);
    switch (words.get(1)) {
      case "label" -> {
        String[] label = words.getLast().split("=", -1);
        String key = label[0].replaceFirst("-$", "");
        String value = label.length == 1 ? "null" : "\"" + label[1] + "\"";
        node.patch(strategic, "{\"metadata\":{\"labels\":{\"%s\":%s}}}".formatted(key, value));
      }
      case "taint" -> {
        assertThat(node.require().getSpec().getTaints()).hasSize(1);
        assertThat(words.getLast())
            .isEqualTo(node.require().getSpec().getTaints().getFirst().getKey() + "-");
        node.patch(strategic, "{\"spec\":{\"taints\":null}}");
      }
      default -> node.subresource("status").patch(strategic, option(words, "-p").orElseThrow());
    }
  }
}
