package io.poolkeeper.kube;

import static io.poolkeeper.kube.Kubeconfig.given;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedExtension;
import io.fabric8.kubernetes.client.Config;
import io.poolkeeper.tls.ClientCertificate;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The user of a kubeconfig: its credentials, and whom it impersonates. As in {@code kubectl}, a
 * token's file comes before a token, and that before a plugin.
 */
final class KubeconfigUser {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Kubeconfig.Entry<AuthInfo> entry;
  private final Optional<Kubeconfig.Entry<Cluster>> cluster;
  private final InstantSource wall;
  private final List<String> problems = new ArrayList<>();

  KubeconfigUser(
      Kubeconfig.Entry<AuthInfo> entry,
      Optional<Kubeconfig.Entry<Cluster>> cluster,
      InstantSource wall) {
    this.entry = entry;
    this.cluster = cluster;
    this.wall = wall;
  }

  /** Sets all but a token that is renewed, and returns the problems with it. */
  List<String> applyTo(Config config) {
    certificate(config);
    login(config);
    impersonation(config);
    return problems;
  }

  private void certificate(Config config) {
    AuthInfo user = entry.body();
    config.setClientCertData(user.getClientCertificateData());
    config.setClientKeyData(user.getClientKeyData());
    config.setClientCertFile(Kubeconfig.resolved(entry.file(), user.getClientCertificate()));
    config.setClientKeyFile(Kubeconfig.resolved(entry.file(), user.getClientKey()));
    boolean bothFiles = config.getClientCertFile() != null && config.getClientKeyFile() != null;
    boolean bothData = given(config.getClientCertData()) && given(config.getClientKeyData());
    boolean nothing =
        config.getClientCertFile() == null
            && config.getClientKeyFile() == null
            && !given(config.getClientCertData())
            && !given(config.getClientKeyData());
    if (nothing) {
      return;
    }
    boolean exactlyOnePair = bothFiles != bothData;
    if (!exactlyOnePair) {
      problem("client-certificate", "expected it and client-key, or both with -data");
      return;
    }
    try {
      ServerTrust.clientCertificate(config)
          .map(ClientCertificate::algorithm)
          .ifPresent(config::setClientKeyAlgo);
    } catch (IllegalArgumentException unusable) {
      problem(
          bothFiles ? "client-certificate" : "client-certificate-data",
          String.valueOf(unusable.getMessage()));
    }
  }

  private void login(Config config) {
    AuthInfo user = entry.body();
    boolean password = given(user.getUsername()) || given(user.getPassword());
    if (given(user.getToken())) {
      if (!RenewedToken.isToken(user.getToken().strip())) {
        problem("token", "holds no usable token");
      }
      config.setAutoOAuthToken(user.getToken().strip());
    }
    if (password && (given(user.getToken()) || given(user.getTokenFile()))) {
      problem("username", "not allowed with a token");
    }
    config.setUsername(user.getUsername());
    config.setPassword(user.getPassword());
    if (user.getExec() != null) {
      ExecPlugin.problems(user.getExec())
          .forEach(problem -> problems.add(entry.place("user", problem).replaceFirst(": $", "")));
    }
    if (user.getAuthProvider() != null) {
      // The library's own, for oidc, loses a refresh token that is used once.
      problem(
          "auth-provider",
          "found %s, allowed is exec with a plugin, such as kubelogin"
              .formatted(user.getAuthProvider().getName()));
    }
  }

  /**
   * The token that is renewed, if there is one.
   *
   * @throws KubeconfigException if it cannot be had
   */
  Optional<RenewedToken> token() {
    AuthInfo user = entry.body();
    if (given(user.getTokenFile())) {
      Path file =
          Path.of(Objects.requireNonNull(Kubeconfig.resolved(entry.file(), user.getTokenFile())));
      return Optional.of(new RenewedToken(PodAccount.tokenIn(file, wall), wall));
    }
    if (user.getExec() == null || given(user.getToken())) {
      return Optional.empty();
    }
    Optional<ObjectNode> clusterInfo =
        cluster
            .filter(known -> Boolean.TRUE.equals(user.getExec().getProvideClusterInfo()))
            .map(KubeconfigUser::clusterInfo);
    Supplier<RenewedToken.Token> plugin =
        new ExecPlugin(entry.file(), user.getExec(), clusterInfo, ExecPlugin.LIMIT);
    return Optional.of(new RenewedToken(plugin, wall));
  }

  /** What a plugin is given about its cluster: the authority is always given as data. */
  private static ObjectNode clusterInfo(Kubeconfig.Entry<Cluster> entry) {
    Cluster cluster = entry.body();
    ObjectNode info = JSON.createObjectNode().put("server", cluster.getServer());
    String data = cluster.getCertificateAuthorityData();
    String file = Kubeconfig.resolved(entry.file(), cluster.getCertificateAuthority());
    if (file != null) {
      try {
        data = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file)));
      } catch (IOException unreadable) {
        throw new KubeconfigException(file + ": cannot be read");
      }
    }
    put(info, "certificate-authority-data", data);
    put(info, "tls-server-name", cluster.getTlsServerName());
    put(info, "proxy-url", cluster.getProxyUrl());
    if (Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify())) {
      info.put("insecure-skip-tls-verify", true);
    }
    for (NamedExtension extension :
        Objects.requireNonNullElse(cluster.getExtensions(), List.<NamedExtension>of())) {
      if ("client.authentication.k8s.io/exec".equals(extension.getName())) {
        info.set("config", JSON.valueToTree(extension.getExtension()));
      }
    }
    return info;
  }

  private static void put(ObjectNode info, String member, @Nullable String value) {
    if (given(value)) {
      info.put(member, value);
    }
  }

  private void impersonation(Config config) {
    AuthInfo user = entry.body();
    List<String> groups = Objects.requireNonNullElse(user.getAsGroups(), List.of());
    Map<String, List<String>> extra = Objects.requireNonNullElse(user.getAsUserExtra(), Map.of());
    if (!given(user.getAs())) {
      if (!groups.isEmpty() || !extra.isEmpty() || given(user.getAsUid())) {
        problem("as", "found nothing, which as-uid, as-groups and as-user-extra need");
      }
      return;
    }
    config.setImpersonateUsername(user.getAs());
    config.setImpersonateGroups(groups.toArray(String[]::new));
    Map<String, List<String>> escaped = new LinkedHashMap<>();
    // A part of a header's name.
    extra.forEach(
        (key, values) ->
            escaped.put(
                URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20"), values));
    config.setImpersonateExtras(escaped);
    if (given(user.getAsUid())) {
      config.setCustomHeaders(Map.of("Impersonate-Uid", user.getAsUid()));
    }
  }

  private void problem(String member, String what) {
    problems.add(entry.place("user", member) + what);
  }
}
