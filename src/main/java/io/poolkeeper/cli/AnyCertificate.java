package io.poolkeeper.cli;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS that accepts every certificate and name, for connections that something else has secured: a
 * port-forward, or this machine's loopback. The controller's own certificate can be verified by
 * nobody.
 */
final class AnyCertificate extends X509ExtendedTrustManager {
  private AnyCertificate() {}

  static SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new AnyCertificate()}, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has TLS", impossible);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind) {
    throw new UnsupportedOperationException("this is no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {
    throw new UnsupportedOperationException("this is no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {
    throw new UnsupportedOperationException("this is no server");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
