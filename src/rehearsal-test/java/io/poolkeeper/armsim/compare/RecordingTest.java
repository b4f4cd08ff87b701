package io.poolkeeper.armsim.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read from a recording, and what is refused in it. */
class RecordingTest {
  private static final String REPORT = "allowed: a report of verify-azure of at most 64 MiB";

  @TempDir private Path directory;
  private final List<String> problems = new ArrayList<>();

  private List<String> problems(Path file) {
    assertThat(Recording.read(file, problems)).isEmpty();
    return problems.stream().map(problem -> problem.replace(directory.toString(), "dir")).toList();
  }

  private Path file(String content) throws IOException {
    return Files.writeString(directory.resolve("r.json"), content);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | interactions: found nothing; allowed: a list of at least one exchange with Azure",
        "{'interactions':3} | interactions: found a JSON number; allowed: a list of at least one"
            + " exchange with Azure",
        "[] | found an empty list; allowed: a list of at least one exchange with Azure",
        "[1] | [0]: found a JSON number; allowed: a JSON object",
        "[{}] | [0].request: found nothing; allowed: a JSON object",
        "[{'request':{'method':'GET','url':'x'}}] | [0].request.url: found 'x'; allowed: a path or"
            + " an https URL",
        "[{'request':{'method':'','url':'/x'}}] | [0].request.method: found an empty text;"
            + " allowed: a text",
        "[{'request':{'method':'GET','url':'/x','headers':[]}}] | [0].request.headers: found a JSON"
            + " array; allowed: a JSON object",
        "[{'request':{'method':'GET','url':'/x'},'response':'x'}] | [0].response: found a JSON"
            + " string; allowed: a JSON object",
        "[{'request':{'method':'GET','url':'/x'},'response':{'status':99}}] | [0].response.status:"
            + " found 99; allowed: 100 to 599, or a text",
        "[{'request':{'method':'GET','url':'/x'},'response':{'status':{}}}] | [0].response.status:"
            + " found a JSON object; allowed: 100 to 599, or a text",
      })
  void read_wrongContent_namesPlaceFoundAndAllowed(String content, String problem)
      throws IOException {
    List<String> found = problems(file(content.replace('\'', '"')));

    assertThat(found.getFirst()).isEqualTo("dir/r.json: " + problem);
  }

  @Test
  void read_severalErrors_namesAll() throws IOException {
    String wrong = "{\"interactions\":[{\"request\":{\"method\":1,\"url\":2},\"response\":3},4]}";

    assertThat(problems(file(wrong)))
        .extracting(line -> line.split(": ", -1)[1])
        .containsExactly(
            "interactions[0].response",
            "interactions[0].request.method",
            "interactions[0].request.url",
            "interactions[1]");
  }

  @Test
  void read_noReport_isRefusedWithoutItsText() throws IOException {
    assertThat(problems(file("\npassword: hunter2")))
        .containsExactly("dir/r.json: line 2: found text that is not JSON; " + REPORT);
  }

  @Test
  void read_noFile_isNamed() {
    assertThat(problems(directory.resolve("none")))
        .containsExactly("dir/none: found no such file; " + REPORT);
    problems.clear();
    assertThat(problems(directory))
        .containsExactly("dir: found a file that cannot be read; " + REPORT);
  }

  @Test
  void read_moreThan64MiB_isRefused() throws IOException {
    Path file = directory.resolve("r.json");
    try (var large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength((64L << 20) + 1);
    }

    assertThat(problems(file)).containsExactly("dir/r.json: found a longer file; " + REPORT);
  }

  @Test
  void read_bothForms_takesWhatIsThere() throws IOException {
    String request = "\"request\":{\"method\":\"get\",\"url\":\"https://h:1/a/b?c=d&sig=..\"}";
    String list =
        "[{%s,\"response\":{\"status\":\"201\",\"headers\":{\"Etag\":\"e\"}}},{\"id\":\"i\",%s}]"
            .formatted(request, request);

    for (String form : List.of(list, "{\"interactions\":" + list + "}")) {
      Recording recording = Recording.read(file(form), problems).orElseThrow();
      Interaction first = recording.interactions().getFirst();
      assertThat(first.id()).isEqualTo("0");
      assertThat(first.call().rawPath()).isEqualTo("/a/b");
      assertThat(first.call().rawQuery()).isEqualTo("c=d&sig=..");
      assertThat(first.recorded().status()).hasValue(201);
      assertThat(first.recorded().header("ETag")).contains("e");
      assertThat(first.recorded().body()).isEmpty();
      assertThat(recording.interactions().get(1).id()).isEqualTo("i");
      assertThat(recording.interactions().get(1).recorded().absent()).isTrue();
    }
    assertThat(problems).isEmpty();
  }
}
