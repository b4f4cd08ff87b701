package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.poolkeeper.lab.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AsciiJsonTest {
  private static final JsonMapper JSON = new JsonMapper();

  private final AsciiJson stream = new AsciiJson();

  @Test
  void next_wordsOfAllLanguagesCutAnywhere_areReadUnchanged() throws IOException {
    Map<String, List<String>> words = Map.of("ключ", Words.ALL);
    byte[] sent = JSON.writeValueAsString(words).getBytes(StandardCharsets.UTF_8);

    for (int length = 1; length <= 7; length++) {
      StringBuilder text = new StringBuilder();
      for (int at = 0; at < sent.length; at += length) {
        int end = Math.min(length, sent.length - at);
        text.append(asTheLibraryReads(stream.next(ByteBuffer.wrap(sent, at, end))));
      }
      assertThat(text).matches("\\p{ASCII}+");
      assertThat(JSON.readTree(text.toString())).isEqualTo(JSON.valueToTree(words));
    }
  }

  @Test
  void next_ascii_isTheSameBuffer() {
    ByteBuffer part = ByteBuffer.wrap(new byte[] {'{', '}', '\n', 0x7f});

    assertThat(stream.next(part)).isSameAs(part);
    assertThat(part.remaining()).isEqualTo(4);
  }

  @Test
  void next_bytesThatAreNoUtf8_areReplacedAndTheRestIsKept() {
    byte[] wrong = {'a', (byte) 0xff, 'b', (byte) 0xc3, '"'};

    assertThat(asTheLibraryReads(stream.next(ByteBuffer.wrap(wrong))))
        .isEqualTo("a\\ufffdb\\ufffd\"");
  }

  /** The whole array, whatever its limit. */
  private static String asTheLibraryReads(ByteBuffer buffer) {
    return new String(StandardCharsets.UTF_8.decode(buffer).array());
  }
}
