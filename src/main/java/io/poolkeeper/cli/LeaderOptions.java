package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.LeaderPlace;
import io.poolkeeper.kube.LeaderPod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the leader is reached, as a mixin: by its Lease, or at an address. */
@Command
final class LeaderOptions {
  /** What a header may hold; the JDK quotes any other value in its error. */
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final OptionCheck check = new OptionCheck();

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${sys:poolkeeper.url}", // set for commands inside a pod
      description = "Asks this address instead, as http://localhost:8558.")
  private @Nullable String url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Its bearer token (kubectl create token ACCOUNT --audience poolkeeper); with --url, over"
              + " https or to this machine only.")
  private @Nullable Path tokenFile;

  ClusterOptions cluster() {
    return cluster;
  }

  /** A connection to the leader, which the caller closes. */
  Leader connect() {
    return connect(cluster.leases());
  }

  /** The same for the holder of the first of these Leases that is there. */
  Leader connect(List<String> leases) {
    if (url != null) {
      URI address = address(url);
      return byUrl(address, token(address));
    }
    if (tokenFile != null) {
      throw check.refused("--token-file needs --url: the port-forward needs no token");
    }
    KubernetesClient client = cluster.client();
    try {
      return switch (LeaderPod.find(client, cluster.namespace(), leases)) {
        case LeaderPod pod -> new LeaderByPod(client, pod);
        case LeaderPlace.Here process -> {
          client.close();
          yield byUrl(process.url(), Optional.empty());
        }
      };
    } catch (RuntimeException failed) {
      client.close();
      throw failed;
    }
  }

  private static Leader byUrl(URI address, Optional<String> token) {
    return new LeaderByUrl(address, loopback(address.getHost()), token, LimitedStream.Limits.USUAL);
  }

  /** The pod that leads now, by a client that {@link LeaderPod#lookupClient} has made. */
  LeaderPod pod(KubernetesClient looks) {
    return switch (LeaderPod.search(looks, cluster.namespace(), cluster.leases())) {
      case LeaderPod pod -> pod;
      case LeaderPlace.Here process ->
          throw new CommandFailure(process.url() + " leads, and is no pod");
    };
  }

  private URI address(String text) {
    try {
      URI address = URI.create(text);
      String scheme = Optional.ofNullable(address.getScheme()).orElse("");
      if (address.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return address;
      }
    } catch (IllegalArgumentException noUri) {
      // The same message.
    }
    throw check.wrong("--url", text, "http://HOST:PORT or https://HOST:PORT");
  }

  private Optional<String> token(URI to) {
    if (tokenFile == null) {
      return Optional.empty();
    }
    if (!to.getScheme().equals("https") && !loopback(to.getHost())) {
      throw check.refused("--token-file: the token is not sent over http to " + to.getHost());
    }
    try {
      String token = Files.readString(tokenFile).strip();
      if (!TOKEN.matcher(token).matches()) {
        throw new CommandFailure(
            "--token-file %s: found something else than one token; allowed: one line of ASCII without blanks"
                .formatted(tokenFile));
      }
      return Optional.of(token);
    } catch (IOException unreadable) {
      throw new CommandFailure("--token-file %s: cannot be read".formatted(tokenFile));
    }
  }

  private static boolean loopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }
}
