package io.poolkeeper.ops;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The open connections of a port, the oldest first: at most a number of one address, or of one /64
 * of IPv6, which one machine has for itself; and if all places are taken, the oldest connection
 * gives way to a new one, so that nobody is kept out. For one thread.
 *
 * @param <T> a connection
 */
final class Places<T> {
  private final int most;
  private final int perAddress;
  private final Map<T, ByteBuffer> taken = new LinkedHashMap<>();

  /** Has places for {@code most} connections, {@code perAddress} of them of one address. */
  Places(int most, int perAddress) {
    this.most = most;
    this.perAddress = perAddress;
  }

  private static ByteBuffer network(InetAddress of) {
    byte[] address = of.getAddress();
    return ByteBuffer.wrap(address, 0, Math.min(address.length, 8));
  }

  /** Whether the address may have one more connection. */
  boolean admit(InetAddress from) {
    ByteBuffer network = network(from);
    return taken.values().stream().filter(network::equals).count() < perAddress;
  }

  /** Takes a place; the answer is who has lost its place by that. */
  Optional<T> take(InetAddress from, T connection) {
    Optional<T> oldest =
        Optional.of(taken).filter(of -> of.size() >= most).map(of -> of.keySet().iterator().next());
    oldest.ifPresent(taken::remove);
    taken.put(connection, network(from));
    return oldest;
  }

  void leave(T connection) {
    taken.remove(connection);
  }
}
