package io.poolkeeper.kube;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Escapes each character beyond ASCII in one stream of JSON in UTF-8. The library's reader of
 * watches decodes each buffer alone into as many characters as it has bytes: a character of several
 * bytes would leave NULs behind, and one that two buffers share would be lost. Bytes that are no
 * UTF-8 become U+FFFD. Not thread-safe.
 */
final class AsciiJson {
  private static final int ASCII = 0x80;
  private static final HexFormat HEX = HexFormat.of();

  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);

  /** The first bytes of a character whose last ones have not come, three at most. */
  private ByteBuffer incomplete = ByteBuffer.allocate(0);

  /** The next bytes of the stream; the same buffer if it is all ASCII. */
  ByteBuffer next(ByteBuffer part) {
    if (!incomplete.hasRemaining() && isAscii(part)) {
      return part;
    }
    ByteBuffer bytes = ByteBuffer.allocate(incomplete.remaining() + part.remaining());
    bytes.put(incomplete).put(part).flip();
    CharBuffer characters = CharBuffer.allocate(bytes.remaining());
    decoder.decode(bytes, characters, false);
    incomplete = bytes;
    StringBuilder escaped = new StringBuilder(characters.position());
    for (char unit : characters.flip().toString().toCharArray()) {
      if (unit < ASCII) {
        escaped.append(unit);
      } else {
        escaped.append("\\u").append(HEX.toHexDigits(unit));
      }
    }
    return ByteBuffer.wrap(escaped.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean isAscii(ByteBuffer part) {
    for (int index = part.position(); index < part.limit(); index++) {
      if (part.get(index) < 0) {
        return false;
      }
    }
    return true;
  }
}
