package io.poolkeeper.model;

import java.net.URI;
import java.util.regex.Pattern;

/**
 * Whether a host is this machine, by its text: a name that resolves to a loopback address is not
 * trusted.
 */
public final class Loopback {
  private static final Pattern HOST =
      Pattern.compile("(?i)localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");

  private Loopback() {}

  public static boolean is(URI url) {
    return is(url.getHost());
  }

  /** An address of IPv6 has brackets, as in a URL. */
  public static boolean is(String host) {
    return HOST.matcher(host).matches();
  }
}
