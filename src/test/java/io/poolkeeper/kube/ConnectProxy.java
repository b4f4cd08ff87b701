package io.poolkeeper.kube;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP proxy that connects all that is asked of it to one loopback port. */
final class ConnectProxy implements AutoCloseable {
  /** The head of each request. */
  final Queue<String> heads = new ConcurrentLinkedQueue<>();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ServerSocket listener;
  private final int target;

  ConnectProxy(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    listener.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        threads.execute(() -> connect(client));
      }
    } catch (IOException closed) {
      // The test ends.
    }
  }

  private void connect(Socket client) {
    try (client;
        Socket there = new Socket(InetAddress.getLoopbackAddress(), target)) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      heads.add(head.toString());
      OutputStream back = client.getOutputStream();
      back.write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      threads.execute(() -> copy(in, there));
      there.getInputStream().transferTo(back);
    } catch (IOException closed) {
      // By one of the sides.
    }
  }

  private static void copy(InputStream from, Socket to) {
    try {
      from.transferTo(to.getOutputStream());
    } catch (IOException closed) {
      // By one of the sides.
    }
  }
}
