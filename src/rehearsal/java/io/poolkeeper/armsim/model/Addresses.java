package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmError;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Gives out IP addresses, none twice while it is in use. A private one is the first that is free in
 * its subnet, as at Azure. A public one looks random, but is derived from the resource's guid.
 */
final class Addresses {
  /** Azure reserves the first four addresses of a subnet, and the last of an IPv4 one. */
  private static final int RESERVED = 4;

  private static final Pattern PREFIX =
      Pattern.compile("(\\d+\\.\\d+\\.\\d+\\.\\d+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)/(\\d{1,3})");
  private static final BigInteger PUBLIC_4 = new BigInteger(1, new byte[] {20, 0, 0, 0});
  private static final int PUBLIC_4_COUNT = 1 << 24;

  private final Map<String, Set<String>> usedBySubnet = new HashMap<>();
  private final Map<String, BigInteger> next = new HashMap<>();

  void use(String subnet, String address) {
    usedBySubnet.computeIfAbsent(subnet, key -> new HashSet<>()).add(address);
  }

  void release(String subnet, String address) {
    usedBySubnet.getOrDefault(subnet, new HashSet<>()).remove(address);
    next.remove(subnet);
  }

  void clear() {
    usedBySubnet.clear();
    next.clear();
  }

  /** The first free address of a subnet; refused when it is full, empty if it has no range. */
  Optional<String> next(String subnet, String prefix) {
    var matcher = PREFIX.matcher(prefix);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    byte[] base = bytes(matcher.group(1));
    int hostBits = base.length * Byte.SIZE - Integer.parseInt(matcher.group(2));
    if (hostBits < 0) {
      return Optional.empty();
    }
    BigInteger first = new BigInteger(1, base);
    BigInteger end = first.add(BigInteger.ONE.shiftLeft(hostBits));
    BigInteger last =
        base.length == 4 ? end.subtract(BigInteger.TWO) : end.subtract(BigInteger.ONE);
    BigInteger at = next.getOrDefault(subnet, first.add(BigInteger.valueOf(RESERVED)));
    while (at.compareTo(last) <= 0) {
      String address = text(at, base.length);
      at = at.add(BigInteger.ONE);
      if (!usedBySubnet.getOrDefault(subnet, Set.of()).contains(address)) {
        use(subnet, address);
        next.put(subnet, at);
        return Optional.of(address);
      }
    }
    throw ArmError.SUBNET_FULL.refused(subnet.substring(subnet.lastIndexOf('/') + 1), prefix);
  }

  /** Whether an address range contains an address; both are literals. */
  static boolean within(String prefix, String address) {
    var matcher = PREFIX.matcher(prefix);
    if (!matcher.matches()) {
      return false;
    }
    byte[] base = bytes(matcher.group(1));
    byte[] given = bytes(address);
    int hostBits = base.length * Byte.SIZE - Integer.parseInt(matcher.group(2));
    return base.length == given.length
        && new BigInteger(1, base)
            .shiftRight(hostBits)
            .equals(new BigInteger(1, given).shiftRight(hostBits));
  }

  /** A public address that none of the used ones equals. */
  static String free(String guid, boolean six, Set<String> used) {
    for (int i = Math.floorMod(guid.hashCode(), PUBLIC_4_COUNT); ; i = (i + 1) % PUBLIC_4_COUNT) {
      String address =
          six
              ? "2603:1000:%x:%x::%x".formatted(i >>> 12, i & 0xfff, 1)
              : text(PUBLIC_4.add(BigInteger.valueOf(i)), 4);
      if (!used.contains(address)) {
        return address;
      }
    }
  }

  private static byte[] bytes(String literal) {
    try {
      return InetAddress.getByName(literal).getAddress();
    } catch (UnknownHostException wrong) {
      throw ArmError.WRONG_VALUE.refused("addressPrefix", "an address range", literal);
    }
  }

  private static String text(BigInteger value, int length) {
    byte[] bytes = new byte[length];
    byte[] magnitude = value.toByteArray();
    for (int i = 1; i <= Math.min(length, magnitude.length); i++) {
      bytes[length - i] = magnitude[magnitude.length - i];
    }
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("address of " + length + " bytes", impossible);
    }
  }
}
