package io.poolkeeper.model;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An IP address with its original text. Equality ignores the notation; the text is kept because
 * Azure and the cloud provider compare texts. Never resolves a name.
 *
 * @param text as written
 * @param canonical the normal form, shared by equal addresses
 */
public record Address(IpFamily family, String text, String canonical)
    implements Comparable<Address> {
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]+:[0-9a-fA-F:.]*");

  /** Empty if the text is no literal address. */
  public static Optional<Address> parse(String text) {
    String trimmed = text.trim();
    if (isIpv4(trimmed)) {
      return Optional.of(new Address(IpFamily.IPV4, trimmed, trimmed));
    }
    if (!IPV6.matcher(trimmed).matches()) {
      return Optional.empty();
    }
    try {
      // The JDK treats a text with a colon as a literal, without a lookup.
      InetAddress address = InetAddress.getByName(trimmed);
      String canonical = address.getHostAddress();
      return Optional.of(
          address.getAddress().length == 4
              ? new Address(IpFamily.IPV4, canonical, canonical)
              : new Address(IpFamily.IPV6, trimmed, canonical));
    } catch (UnknownHostException notALiteral) {
      return Optional.empty();
    }
  }

  /**
   * Four numbers up to 255 without leading zeros. No pattern: a listing has a hundred thousand of
   * these.
   */
  private static boolean isIpv4(String text) {
    int numbers = 0;
    int digits = 0;
    int number = 0;
    for (int at = 0; at <= text.length(); at++) {
      char next = at < text.length() ? text.charAt(at) : '.';
      if (next == '.' && digits > 0) {
        numbers++;
        digits = 0;
        number = 0;
      } else if (next < '0' || next > '9' || (digits > 0 && number == 0)) {
        return false;
      } else {
        number = 10 * number + next - '0';
        digits++;
      }
      if (number > 255) {
        return false;
      }
    }
    return numbers == 4;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Address address && canonical.equals(address.canonical);
  }

  @Override
  public int hashCode() {
    return canonical.hashCode();
  }

  @Override
  public int compareTo(Address other) {
    int byFamily = family.compareTo(other.family);
    return byFamily != 0 ? byFamily : canonical.compareTo(other.canonical);
  }

  @Override
  public String toString() {
    return text;
  }
}
