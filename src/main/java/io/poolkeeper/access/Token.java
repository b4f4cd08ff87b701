package io.poolkeeper.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bearer token. Its text is for the API server alone, and never shown. */
public record Token(String value) {
  private static final Pattern HEADER = Pattern.compile("(?i:bearer) +([-A-Za-z0-9._~+/]+=*) *");

  /** The token of a header {@code Authorization}; empty if it has none. */
  public static Optional<Token> of(String header) {
    return Optional.of(HEADER.matcher(header))
        .filter(Matcher::matches)
        .map(found -> new Token(found.group(1)));
  }

  /** What may be kept in place of the token. */
  String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(value.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  @Override
  public String toString() {
    return "Token[...]";
  }
}
