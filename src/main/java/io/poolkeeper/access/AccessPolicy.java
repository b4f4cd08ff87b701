package io.poolkeeper.access;

import java.net.InetAddress;
import java.util.Set;

/**
 * Which requests need a token.
 *
 * @param trustLoopback whether a connection from loopback is a port-forward, or a command beside
 *     the controller: nothing else can come from there, as the pod has one container and a network
 *     of its own
 * @param apiServerTokens whether tokens that are meant for the API server open page and API, too
 */
public record AccessPolicy(
    Authorization authorization, boolean trustLoopback, boolean apiServerTokens) {
  /** A policy that serves everything to everybody. */
  public static final AccessPolicy OPEN = new AccessPolicy(Authorization.OFF, false, false);

  /** No other address of 127.0.0.0/8: a service mesh delivers from those. */
  private static final Set<String> PEERS = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");

  /** A page of another site cannot name these, even if its own name resolves to loopback. */
  private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

  /** What needs a token whose owner has the right to read it. */
  public enum Authorization {
    /** Metrics, the API and so what the page shows. */
    REQUIRED,

    /** The same without metrics. */
    METRICS_OPEN,

    OFF
  }

  /** Whether nothing needs a token. */
  public boolean open() {
    return authorization == Authorization.OFF;
  }

  /**
   * Whether a request needs a token.
   *
   * @param peer where the connection comes from
   * @param host that the header {@code Host} names, without port
   */
  public boolean needsToken(Area area, InetAddress peer, String host) {
    return switch (authorization) {
      case OFF -> false;
      case METRICS_OPEN -> area != Area.METRICS && !exempt(peer, host);
      case REQUIRED -> !exempt(peer, host);
    };
  }

  private boolean exempt(InetAddress peer, String host) {
    return trustLoopback && PEERS.contains(peer.getHostAddress()) && HOSTS.contains(host);
  }
}
