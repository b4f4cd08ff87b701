package io.poolkeeper.integration;

import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The part of a kubelet that the API server asks for logs, which are all the same, and for a
 * port-forward: a WebSocket whose messages begin with the number of a channel, 0 for data and 1 for
 * errors. The pod is this machine.
 */
final class FakeKubelet implements AutoCloseable {
  static final String LOG = "time=2026-11-28T10:00:00Z level=ERROR";

  private final MockWebServer server = new MockWebServer();

  /** Paths that were asked for. */
  final Queue<String> asked = new ConcurrentLinkedQueue<>();

  /** Whether the logs of containers that have ended are gone. */
  volatile boolean noLogBefore;

  FakeKubelet() {
    server.useHttps();
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            asked.add(request.getPath());
            if (noLogBefore && request.getPath().contains("previous=true")) {
              return new MockResponse()
                  .setResponseCode(400)
                  .setBody("previous terminated container not found");
            }
            if (request.getPath().startsWith("/containerLogs/")) {
              return new MockResponse().setResponseCode(200).setBody(LOG);
            }
            return new MockResponse().withWebSocketUpgrade(new Forward(request.getPath()));
          }
        });
    server.start(InetAddress.getLoopbackAddress(), 0);
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private static final class Forward extends WebSocketListener {
    private final int port;
    private final Map<WebSocket, Socket> sockets = new ConcurrentHashMap<>();

    Forward(String path) {
      port = Integer.parseInt(path.replaceFirst(".*port=(\\d+).*", "$1"));
    }

    @Override
    public void onOpen(WebSocket webSocket, Response response) {
      for (byte channel = 0; channel < 2; channel++) {
        webSocket.send(new byte[] {channel, (byte) port, (byte) (port >> 8)});
      }
      try {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.put(webSocket, socket);
        Thread.ofVirtual().start(() -> copy(socket, webSocket));
      } catch (IOException refused) {
        webSocket.send(("\u0001" + refused.getMessage()).getBytes(StandardCharsets.UTF_8));
        webSocket.close(1000, "");
      }
    }

    private static void copy(Socket socket, WebSocket to) {
      try (socket;
          InputStream in = socket.getInputStream()) {
        byte[] message = new byte[8192];
        for (int read = in.read(message, 1, 8191); read > 0; read = in.read(message, 1, 8191)) {
          to.send(Arrays.copyOf(message, read + 1));
        }
      } catch (IOException closed) {
        // The end is the same.
      }
      to.close(1000, "");
    }

    @Override
    public void onMessage(WebSocket webSocket, byte[] bytes) {
      try {
        Socket socket = sockets.get(webSocket);
        if (bytes[0] == 0 && socket != null) {
          socket.getOutputStream().write(bytes, 1, bytes.length - 1);
        }
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }

    @Override
    public void onClosed(WebSocket webSocket, int code, String reason) {
      try {
        Socket socket = sockets.remove(webSocket);
        if (socket != null) {
          socket.close();
        }
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }
  }
}
