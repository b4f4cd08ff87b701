package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.LeaderPod;
import io.poolkeeper.kube.NoLeaderException;
import io.poolkeeper.kube.PodConnection;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A port of this machine, on 127.0.0.1 alone, whose connections are carried to the leader's pod
 * through the API server. When another pod leads, connections to the former one are cut, so that a
 * page asks again. At most {@value #MOST} connections at once; further ones are closed.
 */
final class LeaderForward implements AutoCloseable {
  /** A browser has six and the stream; each takes six file descriptors, of 256 on some machines. */
  private static final int MOST = 24;

  private static final int BUFFER = 16 << 10;

  private final KubernetesClient client;
  private final ServerSocket server;
  private final Set<Socket> carried = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile LeaderPod pod;

  /** Whether a connection has failed before its first byte came. */
  private volatile boolean doubted;

  /** Listens; the client stays open. Port 0 is any free one. */
  LeaderForward(KubernetesClient client, LeaderPod pod, int port) {
    this.client = client;
    this.pod = pod;
    try {
      server = new ServerSocket(port, MOST, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    } catch (IOException taken) {
      throw new CommandFailure(
          "--port %d: cannot listen on 127.0.0.1: %s: give another one, or 0"
              .formatted(port, taken.getMessage()));
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  KubernetesClient client() {
    return client;
  }

  LeaderPod pod() {
    return pod;
  }

  boolean doubted() {
    return doubted;
  }

  void doubt() {
    doubted = true;
  }

  /** Carries further connections to this pod, which has answered; cuts those to another pod. */
  void redirect(LeaderPod next) {
    boolean changes = !next.equals(pod);
    doubted = false;
    pod = next;
    if (changes) {
      carried.forEach(LeaderForward::cut);
    }
  }

  /**
   * Waits for so long.
   *
   * @throws CommandFailure if it accepts no more connections
   */
  void await(Duration time) throws InterruptedException {
    if (ended.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new CommandFailure("127.0.0.1:%d accepts no more connections".formatted(port()));
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        if (carried.size() < MOST && carried.add(socket)) {
          Thread.ofVirtual().start(() -> carry(socket, pod));
        } else {
          cut(socket);
        }
      }
    } catch (IOException closed) {
      ended.countDown();
    }
  }

  private void carry(Socket socket, LeaderPod to) {
    try (socket;
        PodConnection connection = PodConnection.open(client, to)) {
      Thread.ofVirtual().start(() -> send(socket, connection));
      if (!receive(connection.in(), socket)) {
        doubt();
      }
    } catch (NoLeaderException refused) {
      doubt();
    } catch (IOException | UncheckedIOException ended) {
      // One of the two ends has gone, and the other one is closed here.
    } finally {
      carried.remove(socket);
    }
  }

  /** Until the browser closes; that also ends what waits for the pod. */
  private static void send(Socket from, PodConnection to) {
    try (to;
        from;
        OutputStream out = to.out()) {
      from.getInputStream().transferTo(out);
    } catch (IOException ended) {
      // As above.
    }
  }

  /** Until the pod ends it; false if it has failed without any answer. */
  private static boolean receive(InputStream from, Socket to) throws IOException {
    byte[] bytes = new byte[BUFFER];
    boolean answered = false;
    try {
      for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
        answered = true;
        to.getOutputStream().write(bytes, 0, read);
      }
      return true;
    } catch (NoLeaderException failed) {
      return answered || to.isClosed();
    }
  }

  private static void cut(Closeable end) {
    try {
      end.close();
    } catch (IOException closing) {
      // The other end sees it.
    }
  }

  @Override
  public void close() {
    cut(server);
    carried.forEach(LeaderForward::cut);
  }
}
