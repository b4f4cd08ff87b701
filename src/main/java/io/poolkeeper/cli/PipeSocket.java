package io.poolkeeper.cli;

import io.poolkeeper.kube.PodConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A connection to a pod in the form that the JDK's TLS wants; it is closed by its owner. */
final class PipeSocket extends Socket {
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
