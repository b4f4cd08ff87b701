package io.poolkeeper.kube;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Escapes each character beyond ASCII in one stream of JSON in UTF-8. The library's reader of
 * watches decodes each buffer alone, and keeps as many characters as there were bytes: longer
 * characters would leave NULs behind, and one that two buffers share would be lost. Bytes that are
 * no UTF-8 become U+FFFD. Not thread-safe.
 */
final class AsciiJson {
  private static final int ASCII = 0x80;
  private static final HexFormat HEX = HexFormat.of();

  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);

  /** The beginning of a character whose end has not come, three bytes at most. */
  private ByteBuffer begun = ByteBuffer.allocate(0);

  /** The next bytes of the stream; the same buffer if it is all ASCII. */
  ByteBuffer next(ByteBuffer part) {
    if (!begun.hasRemaining() && isAscii(part)) {
      return part;
    }
    ByteBuffer bytes = ByteBuffer.allocate(begun.remaining() + part.remaining());
    bytes.put(begun).put(part).flip();
    CharBuffer characters = CharBuffer.allocate(bytes.remaining());
    decoder.decode(bytes, characters, false);
    begun = bytes;
    StringBuilder escaped = new StringBuilder(characters.position());
    characters
        .flip()
        .chars()
        .forEach(
            unit -> {
              if (unit < ASCII) {
                escaped.append((char) unit);
              } else {
                escaped.append("\\u").append(HEX.toHexDigits((char) unit));
              }
            });
    return ByteBuffer.wrap(escaped.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean isAscii(ByteBuffer part) {
    for (int at = part.position(); at < part.limit(); at++) {
      if (part.get(at) < 0) {
        return false;
      }
    }
    return true;
  }
}
