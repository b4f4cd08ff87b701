package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.LeaderPod;
import io.poolkeeper.kube.NoLeaderException;
import io.poolkeeper.kube.PodConnection;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * The API of a pod through the API server's port-forward. Each request has a connection of its own
 * and speaks HTTP/1.0, the answers of which need no parser: a head, then bytes until the end. TLS
 * is used if the pod has it, without a check of its name, as the API server has authorised the way.
 */
final class LeaderByPod implements Leader {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LONGEST_HEAD = 16 << 10;

  private final KubernetesClient client;
  private final LeaderPod pod;
  private final SSLContext tls = AnyCertificate.context();

  /** Until the pod has answered without TLS. */
  private volatile boolean encrypted = true;

  /** The client is closed with this. */
  LeaderByPod(KubernetesClient client, LeaderPod pod) {
    this.client = client;
    this.pod = pod;
  }

  @Override
  public Answer get(String path) {
    if (!encrypted) {
      return plain(path);
    }
    try {
      return ask(path, true);
    } catch (SSLException noTls) {
      Answer answer = plain(path);
      encrypted = false;
      return answer;
    }
  }

  private Answer plain(String path) {
    try {
      return ask(path, false);
    } catch (SSLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Answer ask(String path, boolean overTls) throws SSLException {
    PodConnection connection = PodConnection.open(client, pod);
    AtomicBoolean late = new AtomicBoolean();
    CompletableFuture<Void> alarm =
        CompletableFuture.runAsync(
            () -> {
              late.set(true);
              connection.close();
            },
            CompletableFuture.delayedExecutor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    try {
      String request = "GET %s HTTP/1.0\r\nHost: localhost:%d\r\n\r\n".formatted(path, pod.port());
      Socket socket = new PipeSocket(connection);
      if (overTls) {
        socket = tls.getSocketFactory().createSocket(socket, pod.name(), pod.port(), true);
      }
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      int status = status(head(in));
      return new Answer(
          status, new LimitedStream(closing(in, connection), LimitedStream.Limits.USUAL));
    } catch (NoLeaderException failed) {
      connection.close();
      throw failed;
    } catch (IOException failed) {
      connection.close();
      if (failed instanceof SSLException noTls && !late.get()) {
        throw noTls;
      }
      String why =
          late.get()
              ? "nothing came for %d s".formatted(PATIENCE.toSeconds())
              : String.valueOf(failed.getMessage());
      throw new CommandFailure("%s: no answer: %s".formatted(name(), why));
    } finally {
      alarm.cancel(false);
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0 || head.size() > LONGEST_HEAD) {
        throw new IOException("the connection ended");
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.US_ASCII);
  }

  private static int status(String head) throws IOException {
    if (!head.matches("(?s)HTTP/1\\.[01] \\d{3} .*")) {
      throw new IOException("this is not HTTP");
    }
    return Integer.parseInt(head.substring(9, 12));
  }

  private static InputStream closing(InputStream in, PodConnection connection) {
    return new FilterInputStream(in) {
      @Override
      public void close() {
        connection.close();
      }
    };
  }

  KubernetesClient client() {
    return client;
  }

  LeaderPod pod() {
    return pod;
  }

  /** The scheme in which the pod has answered. */
  String scheme() {
    return encrypted ? "https" : "http";
  }

  @Override
  public String name() {
    return "pod %s/%s".formatted(pod.namespace(), pod.name());
  }

  @Override
  public void close() {
    client.close();
  }

  /** A connection to a pod in the form that the JDK's TLS wants; it is closed by its owner. */
  private static final class PipeSocket extends Socket {
    private final PodConnection connection;

    PipeSocket(PodConnection connection) {
      this.connection = connection;
    }

    @Override
    public InputStream getInputStream() {
      return connection.in();
    }

    @Override
    public OutputStream getOutputStream() {
      return connection.out();
    }

    @Override
    public boolean isConnected() {
      return true;
    }

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public void setSoTimeout(int millis) {}

    @Override
    public void close() throws IOException {}
  }
}
