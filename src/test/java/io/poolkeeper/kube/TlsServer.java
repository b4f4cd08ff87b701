package io.poolkeeper.kube;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.poolkeeper.tls.TlsIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A server on all addresses of loopback that answers "ok", over TLS and on the same port again with
 * another certificate, or in plain text. It records the headers and the certificates of its
 * clients, and refuses tokens that are not among {@link #accepted}, if there are any.
 */
final class TlsServer implements AutoCloseable {
  final Queue<Headers> requests = new ConcurrentLinkedQueue<>();
  final Queue<Certificate> clients = new ConcurrentLinkedQueue<>();
  final Set<String> accepted = ConcurrentHashMap.newKeySet();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;

  private TlsServer(HttpServer server) {
    this.server = server;
  }

  static TlsServer plain() throws IOException {
    TlsServer plain = new TlsServer(HttpServer.create(new InetSocketAddress("0.0.0.0", 0), 0));
    plain.start();
    return plain;
  }

  static TlsServer with(TlsIdentity identity) throws IOException, GeneralSecurityException {
    TlsServer tls = new TlsServer(https(0, identity));
    tls.start();
    return tls;
  }

  /** All connections end. */
  void change(TlsIdentity identity) throws IOException, GeneralSecurityException {
    int port = port();
    server.stop(0);
    server = https(port, identity);
    start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void start() {
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.add(exchange.getRequestHeaders());
    if (exchange instanceof HttpsExchange tls) {
      record(tls);
    }
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    boolean refused =
        !accepted.isEmpty()
            && accepted.stream().noneMatch(token -> ("Bearer " + token).equals(header));
    byte[] body = "ok".getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(refused ? 401 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void record(HttpsExchange tls) {
    try {
      clients.add(tls.getSSLSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException without) {
      // Most clients show none.
    }
  }

  private static HttpsServer https(int port, TlsIdentity identity)
      throws IOException, GeneralSecurityException {
    char[] none = new char[0];
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, none);
    store.setKeyEntry("server", identity.key(), none, identity.chain().toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, none);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[] {new Anybody()}, null);
    HttpsServer server = HttpsServer.create(new InetSocketAddress("0.0.0.0", port), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            parameters.setWantClientAuth(true);
          }
        });
    return server;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Clients are recorded, not checked. */
  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      throw new IllegalStateException("no client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
