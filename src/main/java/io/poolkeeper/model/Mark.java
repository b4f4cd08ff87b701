package io.poolkeeper.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The end of the names of a cluster's entries in pools that bindings name: {@code .pk-} and the
 * first 16 hex digits of the UID of its Namespace {@code kube-system}. The mark proves which
 * cluster an entry belongs to. It is written together with the entry's address, and nobody can
 * change it by changing objects of the cluster. Names are compared ignoring case.
 */
public record Mark(String suffix) {
  /** The beginning of every mark. */
  public static final String BEGIN = ".pk-";

  private static final int DIGITS = 16;

  /** ARM allows 80 characters, mark included. */
  private static final int LONGEST_NODE = 60;

  private static final int HASH_DIGITS = 8;

  /**
   * The mark of a cluster.
   *
   * @param uid of its Namespace {@code kube-system}
   * @throws IllegalArgumentException if it has no 16 hex digits
   */
  public static Mark of(String uid) {
    String digits = uid.replace("-", "").toLowerCase(Locale.ROOT);
    if (!digits.matches("[0-9a-f]{" + DIGITS + ",}")) {
      throw new IllegalArgumentException("no UID: " + uid);
    }
    return new Mark(BEGIN + digits.substring(0, DIGITS));
  }

  /** Whether an entry of that name carries the mark. */
  public boolean on(String entry) {
    return Names.fold(entry).endsWith(suffix);
  }

  /** The name before the mark; the whole name if it has none. */
  public String off(String entry) {
    return on(entry) ? entry.substring(0, entry.length() - suffix.length()) : entry;
  }

  /** The name of a node's entry with the mark; a long name is cut. */
  public String name(String node) {
    if (node.length() <= LONGEST_NODE) {
      return node + suffix;
    }
    String beginning = node.substring(0, LONGEST_NODE - HASH_DIGITS - 1);
    return beginning + "-" + hash(node).substring(0, HASH_DIGITS) + suffix;
  }

  private static String hash(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  @Override
  public String toString() {
    return suffix;
  }
}
