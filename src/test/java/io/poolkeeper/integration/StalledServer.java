package io.poolkeeper.integration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Says the same beginning to everybody who says something, and nothing more, nor does it end. */
final class StalledServer implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final String beginning;

  StalledServer(String beginning) throws IOException {
    this.beginning = beginning;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> answer(socket));
      }
    } catch (IOException closed) {
      // The end.
    }
  }

  private void answer(Socket socket) {
    try {
      if (socket.getInputStream().read() >= 0) {
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException closed) {
      // The other side has seen enough.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
