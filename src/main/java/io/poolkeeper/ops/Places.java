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

  /** Takes a place; the answer is who has lost its place by that. */
  Optional<T> take(InetAddress from, T connection) {
    boolean full = of(from).count() >= perAddress;
    Optional<T> oldest =
        full
            ? of(from).findFirst()
            : taken.keySet().stream().findFirst().filter(any -> taken.size() >= most);
    oldest.ifPresent(taken::remove);
    taken.put(connection, from);
    return oldest;
  }

  private Stream<T> of(InetAddress from) {
    return taken.entrySet().stream()
        .filter(one -> one.getValue().equals(from))
        .map(Map.Entry::getKey);
  }

  void leave(T connection) {
    taken.remove(connection);
  }
}
