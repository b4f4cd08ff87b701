package io.poolkeeper.model;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An IP address in canonical form: equal addresses have equal text, however they were written. IPv6
 * is in the form of RFC 5952, which Kubernetes and the cloud provider use and compare as text.
 * Never resolves a name.
 */
public record Address(IpFamily family, String text) implements Comparable<Address> {
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}");
  private static final int GROUPS = 8;
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]+:[0-9a-fA-F:.]*");

  /** Empty if the text is no literal address. */
  public static Optional<Address> parse(String text) {
    String trimmed = text.trim();
    if (IPV4.matcher(trimmed).matches()) {
      return Optional.of(new Address(IpFamily.IPV4, trimmed));
    }
    if (!IPV6.matcher(trimmed).matches()) {
      return Optional.empty();
    }
    try {
      // A text with a colon is a literal to the JDK, so that nothing is looked up.
      InetAddress address = InetAddress.getByName(trimmed);
      return Optional.of(
          address.getAddress().length == 4
              ? new Address(IpFamily.IPV4, address.getHostAddress())
              : new Address(IpFamily.IPV6, shortest(address.getAddress())));
    } catch (UnknownHostException notALiteral) {
      return Optional.empty();
    }
  }

  /**
   * The address of a literal.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Address of(String literal) {
    return parse(literal)
        .orElseThrow(() -> new IllegalArgumentException("not an IP address: " + literal));
  }

  /** The text of RFC 5952: the longest run of zero groups, the first of equals, is left out. */
  private static String shortest(byte[] address) {
    ByteBuffer groups = ByteBuffer.wrap(address);
    int start = 0;
    int length = 0;
    for (int from = 0; from < GROUPS; from++) {
      int to = from;
      while (to < GROUPS && groups.getShort(2 * to) == 0) {
        to++;
      }
      if (to - from > length) {
        start = from;
        length = to - from;
      }
    }
    return length < 2
        ? joined(groups, 0, GROUPS)
        : joined(groups, 0, start) + "::" + joined(groups, start + length, GROUPS);
  }

  private static String joined(ByteBuffer groups, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(group -> Integer.toHexString(Short.toUnsignedInt(groups.getShort(2 * group))))
        .collect(Collectors.joining(":"));
  }

  @Override
  public int compareTo(Address other) {
    int byFamily = family.compareTo(other.family);
    return byFamily != 0 ? byFamily : text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
