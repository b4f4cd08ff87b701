package io.poolkeeper.kube;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy to a loopback port that can drop connections, silence them for ever without a reset,
 * cut them in the middle of an answer, hold new ones, and be slow.
 */
public final class CuttableProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> stalled = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile Answers answers = new Answers(Long.MAX_VALUE, false);
  private volatile Duration latency = Duration.ZERO;
  private volatile CountDownLatch held = new CountDownLatch(0);

  /** How many bytes of answers a connection carries, and whether it ends with them. */
  private record Answers(long bytes, boolean ends) {}

  /** A proxy to this port, on any free one. */
  public CuttableProxy(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** How many connections there have been. */
  public int accepted() {
    return accepted.get();
  }

  /** Drops all connections; new ones are forwarded. */
  void drop() {
    open.forEach(CuttableProxy::close);
  }

  /** Drops all connections; new ones are accepted and wait for {@link #release}. */
  public void hold() {
    holdNew();
    drop();
  }

  /** Carries nothing on the connections there are, which stay open; new ones are forwarded. */
  public void stall() {
    stalled.addAll(open);
  }

  /** Each new connection carries so many bytes of answers, and then nothing more. */
  public void stallAfter(long bytes) {
    answers = new Answers(bytes, false);
  }

  /** Each new connection carries so many bytes of answers, and is closed then. */
  public void cutAfter(long bytes) {
    answers = new Answers(bytes, true);
  }

  /** Whatever comes from now on is carried so much later. */
  public void slow(Duration by) {
    latency = by;
  }

  /** New connections are accepted and wait for {@link #release}. */
  public void holdNew() {
    held = new CountDownLatch(1);
  }

  /** Lets the new connections go on. */
  public void release() {
    held.countDown();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    release();
    drop();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listener.accept();
        open.add(near);
        accepted.incrementAndGet();
        Thread.ofVirtual().start(() -> connect(near));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void connect(Socket near) {
    try {
      held.await();
      Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(far);
      Answers limit = answers;
      Thread.ofVirtual().start(() -> carry(far, near, limit));
      carry(near, far, new Answers(Long.MAX_VALUE, false));
    } catch (IOException | InterruptedException refused) {
      close(near);
    }
  }

  private void carry(Socket from, Socket to, Answers limit) {
    try (from;
        to) {
      long left = limit.bytes();
      byte[] buffer = new byte[8_192];
      for (int read = 0;
          read >= 0 && !(limit.ends() && left == 0);
          read = from.getInputStream().read(buffer)) {
        new CompletableFuture<Void>()
            .completeOnTimeout(null, latency.toMillis(), MILLISECONDS)
            .join();
        if (!stalled.contains(from)) {
          to.getOutputStream().write(buffer, 0, (int) Math.min(read, left));
          left -= Math.min(read, left);
          if (limit.ends() && left == 0) {
            return;
          }
        }
      }
    } catch (IOException dropped) {
      // Either side may drop it.
    } finally {
      open.remove(from);
      stalled.remove(from);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException closed) {
      // It was closed already.
    }
  }
}
