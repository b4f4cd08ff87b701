package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.PortForward;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.stream.Stream;

/**
 * A connection to a port of a pod through the API server: its port-forward, between two pipes of
 * this process. So no port is opened on this machine.
 */
public final class PodConnection implements AutoCloseable {
  private final LeaderPod pod;
  private final Pipe toPod;
  private final Pipe fromPod;
  private final PortForward forward;

  private PodConnection(LeaderPod pod, Pipe toPod, Pipe fromPod, PortForward forward) {
    this.pod = pod;
    this.toPod = toPod;
    this.fromPod = fromPod;
    this.forward = forward;
  }

  /**
   * Connects.
   *
   * @throws NoLeaderException if the API server refuses
   */
  public static PodConnection open(KubernetesClient client, LeaderPod pod) {
    try {
      Pipe toPod = Pipe.open();
      Pipe fromPod = Pipe.open();
      PortForward forward =
          client
              .pods()
              .inNamespace(pod.namespace())
              .withName(pod.name())
              .portForward(pod.port(), toPod.source(), fromPod.sink());
      return new PodConnection(pod, toPod, fromPod, forward);
    } catch (KubernetesClientException refused) {
      throw new NoLeaderException(
          "cannot forward port %d of pod %s/%s: %s (it needs the right to create pods/portforward)"
              .formatted(pod.port(), pod.namespace(), pod.name(), Causes.text(refused)));
    } catch (IOException noPipe) {
      throw new UncheckedIOException(noPipe);
    }
  }

  /** The stream to the pod. */
  public OutputStream out() {
    return Channels.newOutputStream(toPod.sink());
  }

  /**
   * The stream from the pod; it ends with the connection.
   *
   * @return reading throws {@link NoLeaderException} if the connection ended with an error
   */
  public InputStream in() {
    return new FilterInputStream(Channels.newInputStream(fromPod.source())) {
      @Override
      public int read() throws IOException {
        return throwIfFailed(super.read());
      }

      @Override
      public int read(byte[] bytes, int from, int length) throws IOException {
        return throwIfFailed(super.read(bytes, from, length));
      }
    };
  }

  private int throwIfFailed(int read) {
    if (read < 0 && forward.errorOccurred()) {
      String reason =
          Stream.concat(
                  forward.getServerThrowables().stream(), forward.getClientThrowables().stream())
              .map(Causes::text)
              .findFirst()
              .orElse("it ended");
      throw new NoLeaderException(
          "the port-forward to pod %s/%s failed: %s"
              .formatted(pod.namespace(), pod.name(), reason));
    }
    return read;
  }

  @Override
  public void close() {
    try {
      forward.close();
      toPod.sink().close();
      fromPod.source().close();
    } catch (IOException closing) {
      throw new UncheckedIOException(closing);
    }
  }
}
