package io.poolkeeper.ops;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The open connections of a port, the oldest first. There is a bound in all, and one per address.
 * At a bound the oldest connection gives way to the new one, so that nobody is kept out: another
 * pod may have the kubelet's own address, by the network of its host or by a proxy. For one thread.
 */
final class Places<T> {
  private final int most;
  private final int perAddress;
  private final Map<T, InetAddress> taken = new LinkedHashMap<>();

  /** Has places for {@code most} connections, {@code perAddress} of them of one address. */
  Places(int most, int perAddress) {
    this.most = most;
    this.perAddress = perAddress;
  }

  /** Takes a place, and returns the connection that has lost its place by that. */
  Optional<T> take(InetAddress from, T connection) {
    Optional<T> oldest = Optional.empty();
    if (connectionsFrom(from).count() >= perAddress) {
      oldest = connectionsFrom(from).findFirst();
    } else if (taken.size() >= most) {
      oldest = taken.keySet().stream().findFirst();
    }
    oldest.ifPresent(taken::remove);
    taken.put(connection, from);
    return oldest;
  }

  private Stream<T> connectionsFrom(InetAddress from) {
    return taken.entrySet().stream()
        .filter(entry -> entry.getValue().equals(from))
        .map(Map.Entry::getKey);
  }

  void leave(T connection) {
    taken.remove(connection);
  }
}
