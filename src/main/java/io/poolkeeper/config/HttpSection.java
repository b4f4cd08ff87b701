package io.poolkeeper.config;

import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.access.AccessPolicy.Authorization;
import io.poolkeeper.model.Loopback;
import io.poolkeeper.model.Range;
import io.poolkeeper.tls.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the section {@code http}. */
final class HttpSection {
  private static final Range<Integer> PORTS = new Range<>(0, 65_535);
  private static final String AUTHORIZATION = "http.authorization";

  private static final List<Map.Entry<String, Optional<Authorization>>> AUTHORIZATIONS =
      List.of(
          Map.entry("auto", Optional.empty()),
          Map.entry("required", Optional.of(Authorization.REQUIRED)),
          Map.entry("metrics-open", Optional.of(Authorization.METRICS_OPEN)),
          Map.entry("off", Optional.of(Authorization.OFF)));

  private static final Pattern FOLDER = Pattern.compile("https?://[^\\s/\"<>][^\\s\"<>]*(?<!/)");

  private static final String CERTIFICATE_FILE = "http.tls.certificate-file";
  private static final String KEY_FILE = "http.tls.key-file";

  private final Values values;
  private final boolean inPod;

  /** Kubernetes sets the API server's address in the environment of each container. */
  HttpSection(Values values, Map<String, String> env) {
    this.values = values;
    inPod = !env.getOrDefault("KUBERNETES_SERVICE_HOST", "").isBlank();
  }

  Settings.Http read() {
    var form = Pattern.compile("[^\\s/]+");
    var allowed = "an address or host name to listen on, such as 127.0.0.1";
    var host = values.required("http.host", form, allowed);
    int port = values.integer("http.port", PORTS);
    var authorization = authorization(host);
    return new Settings.Http(
        host,
        port,
        probePort(port),
        new AccessPolicy(
            authorization,
            values.flag("http.trust-loopback"),
            values.flag("http.api-server-tokens")),
        values.matching(
            "http.runbook-url",
            FOLDER,
            "an http or https URL of a folder, without / at its end, as"
                + " https://git.example.com/poolkeeper/docs/runbook"),
        tls(authorization != Authorization.OFF && (inPod || !loopback(host))));
  }

  private Settings.Tls tls(boolean tokensTravel) {
    var certificate = values.pemFile(CERTIFICATE_FILE);
    var key = values.pemFile(KEY_FILE);
    if (certificate.isPresent() && key.isEmpty()) {
      values.reject(KEY_FILE, "a PEM file, as there is one of the certificate");
    } else if (certificate.isEmpty() && key.isPresent()) {
      values.reject(CERTIFICATE_FILE, "a PEM file, as there is one of the key");
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      return tokensTravel ? new Settings.Tls.SelfMade() : new Settings.Tls.None();
    }
    checkTls(certificate.get(), key.get());
    return new Settings.Tls.Files(certificate.get(), key.get());
  }

  private void checkTls(Path certificate, Path key) {
    checkReadable(CERTIFICATE_FILE, certificate);
    checkReadable(KEY_FILE, key);
    if (values.rejected(CERTIFICATE_FILE) || values.rejected(KEY_FILE)) {
      return;
    }
    try {
      TlsIdentity.of(Files.readString(certificate), Files.readString(key));
    } catch (CertificateException e) {
      values.reject(
          CERTIFICATE_FILE,
          certificate + ", " + e.getMessage(),
          "a PEM file of certificates, the own one first");
    } catch (GeneralSecurityException | IOException e) {
      values.reject(
          KEY_FILE, key + ", " + e.getMessage(), "the PEM file of the certificate's private key");
    }
  }

  private void checkReadable(String key, Path file) {
    InputFile.objection(file)
        .ifPresent(why -> values.reject(key, file + ", " + why, "a readable PEM file"));
  }

  /** Not 0: nobody would know the number of a free port. */
  private Optional<Integer> probePort(int httpPort) {
    var ports = new Range<>(1, PORTS.max());
    var port = values.optional("http.probe-port", key -> values.integer(key, ports));
    if (port.isPresent() && port.get() == httpPort) {
      values.reject("http.probe-port", "another port than http.port");
    }
    return port;
  }

  private Authorization authorization(String host) {
    var chosen = values.oneOf(AUTHORIZATION, AUTHORIZATIONS, Optional.of(Authorization.REQUIRED));
    if (chosen.isEmpty() && !inPod && !values.rejected("http.host") && !loopback(host)) {
      values.reject(
          AUTHORIZATION,
          "required, metrics-open or off, as http.host %s is no loopback address and this is no pod"
              .formatted(host));
    }
    return chosen.orElse(inPod ? Authorization.REQUIRED : Authorization.OFF);
  }

  private static boolean loopback(String host) {
    return Loopback.is(host) || Loopback.is("[" + host + "]");
  }
}
