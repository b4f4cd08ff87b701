package io.poolkeeper.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One connection that sends a request, reads the whole answer, and sends the next. It does as
 * little as possible, because it shares the processors with the measured process.
 */
final class KeepAlive implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;

  private final Socket socket;
  private final InputStream in;
  private final String host;

  KeepAlive(URI endpoint) throws IOException {
    socket = new Socket(endpoint.getHost(), endpoint.getPort());
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    host = endpoint.getHost() + ":" + endpoint.getPort();
  }

  /**
   * The answer.
   *
   * @param link the address of the operation, without the host; may be empty
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  record Answer(int status, String link, byte[] body) {}

  Answer get(String target) throws IOException {
    return send("GET", target, new byte[0]);
  }

  Answer put(String target, byte[] body) throws IOException {
    return send("PUT", target, body);
  }

  private Answer send(String method, String target, byte[] body) throws IOException {
    String head =
        "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(method, target, host, body.length);
    byte[] start = head.getBytes(StandardCharsets.US_ASCII);
    byte[] whole = new byte[start.length + body.length];
    System.arraycopy(start, 0, whole, 0, start.length);
    System.arraycopy(body, 0, whole, start.length, body.length);
    socket.getOutputStream().write(whole);
    int status = Integer.parseInt(line().substring(9, 12));
    int length = 0;
    String link = "";
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      String value = header.substring(colon + 1).strip();
      switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = Integer.parseInt(value);
        case "azure-asyncoperation" -> link = value.substring(value.indexOf('/', 8));
        default -> {} // ignored
      }
    }
    return new Answer(status, link, in.readNBytes(length));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("connection closed");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
