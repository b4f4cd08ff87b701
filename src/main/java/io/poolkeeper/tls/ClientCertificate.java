package io.poolkeeper.tls;

import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of this program as a client. Its files are read again for each new connection
 * ({@link ChangingFiles}). Thread-safe; a connection that is opened just while the files change may
 * fail.
 */
public final class ClientCertificate extends X509ExtendedKeyManager {
  private static final String ALIAS = "client";

  private final Supplier<TlsIdentity> identity;
  private volatile TlsIdentity current;

  private ClientCertificate(Supplier<TlsIdentity> identity) {
    this.identity = identity;
    current = identity.get();
  }

  /**
   * From files, which may change.
   *
   * @throws IllegalArgumentException if they cannot be used now
   */
  public static ClientCertificate of(Path certificate, Path key) {
    return new ClientCertificate(
        new ChangingFiles<>(
            List.of(certificate, key), texts -> TlsIdentity.of(texts.getFirst(), texts.getLast())));
  }

  /** From texts in PEM. */
  public static ClientCertificate of(String certificate, String key)
      throws GeneralSecurityException {
    TlsIdentity fixed = TlsIdentity.of(certificate, key);
    return new ClientCertificate(() -> fixed);
  }

  /** RSA, EC or another name of the JDK. */
  public String algorithm() {
    return current.key().getAlgorithm();
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    current = identity.get();
    return Arrays.asList(types).contains(algorithm()) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineClientAlias(types, issuers, null);
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return current.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return current.key();
  }

  @Override
  public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
