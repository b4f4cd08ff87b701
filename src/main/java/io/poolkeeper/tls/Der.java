package io.poolkeeper.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the few forms of DER that a certificate and a key are made of. */
final class Der {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  /** A value of any form: its tag, its length, its parts. */
  static byte[] of(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.size();
    if (length >= 0x80) {
      byte[] bytes = BigInteger.valueOf(length).toByteArray();
      int skip = bytes[0] == 0 ? 1 : 0;
      out.write(0x80 | (bytes.length - skip));
      out.write(bytes, skip, bytes.length - skip);
    } else {
      out.write(length);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  static byte[] sequence(byte[]... parts) {
    return of(0x30, parts);
  }

  static byte[] set(byte[] only) {
    return of(0x31, only);
  }

  static byte[] integer(long value) {
    return of(0x02, BigInteger.valueOf(value).toByteArray());
  }

  static byte[] octets(byte[] content) {
    return of(0x04, content);
  }

  /** Whole bytes. */
  static byte[] bits(byte[] content) {
    return of(0x03, new byte[] {0}, content);
  }

  static byte[] text(String value) {
    return of(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  /** To the second. Until 2049 a certificate has the form with two digits for the year. */
  static byte[] time(Instant at) {
    String text = TIME.format(at);
    boolean early = text.compareTo("2050") < 0;
    return of(
        early ? 0x17 : 0x18,
        (early ? text.substring(2) : text).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier, as 1.2.840. */
  static byte[] oid(String dotted) {
    String[] parts = dotted.split("\\.", -1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(40 * Integer.parseInt(parts[0]) + Integer.parseInt(parts[1]));
    for (int i = 2; i < parts.length; i++) {
      int value = Integer.parseInt(parts[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (value >>> shift != 0) {
          out.write(0x80 | (value >>> shift & 0x7f));
        }
      }
      out.write(value & 0x7f);
    }
    return of(0x06, out.toByteArray());
  }
}
