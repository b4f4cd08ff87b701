package io.poolkeeper.process;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The name under which a process stands for election. A Pod's name is used only with a fixed HTTP
 * port, which keeps two processes of the Pod apart. The name stays the same when the Pod's
 * container is restarted, so that the next process leads at once.
 *
 * @param why each start has another name; empty if it is the Pod's
 */
record ElectionIdentity(String name, Optional<String> why) {
  private static final String POD = "POD_NAME";
  private static final String UID = "POD_UID";

  static ElectionIdentity of(
      Map<String, String> env, int httpPort, Supplier<String> host, RandomGenerator random) {
    Optional<String> missing =
        Stream.of(POD, UID)
            .filter(name -> env.getOrDefault(name, "").isBlank())
            .map(name -> name + " is not set")
            .findFirst();
    Optional<String> why =
        missing.or(() -> httpPort == 0 ? Optional.of("http.port is 0") : Optional.empty());
    String name =
        why.isEmpty()
            ? env.get(POD) + "_" + env.get(UID)
            : "%s_%016x".formatted(host.get(), random.nextLong());
    return new ElectionIdentity(name, why);
  }

  static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      return "localhost";
    }
  }
}
