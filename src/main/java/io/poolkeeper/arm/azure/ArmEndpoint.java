package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.management.AzureEnvironment;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.model.Loopback;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Where ARM is: the base of every URL, and the only origin that a request with a token goes to.
 *
 * @param base absolute, http or https, without a trailing slash
 * @param audience whom tokens are for, if it is not this endpoint
 */
record ArmEndpoint(URI base, String apiVersion, Optional<String> audience) {
  private static final Pattern OTHER_LETTERS = Pattern.compile("[^\\x00-\\x7f]+");

  /**
   * The configured endpoint, else the cloud's.
   *
   * @throws IllegalArgumentException if it is not an absolute http or https URL, if it would send a
   *     token in clear text, or if it is used without credentials though not on loopback
   */
  static ArmEndpoint of(Azure azure) {
    URI uri = azure.endpoint().orElseGet(() -> URI.create(environment(azure.cloud())));
    if (uri.getHost() == null || uri.getUserInfo() != null || !isHttp(uri) || hasQuery(uri)) {
      throw new IllegalArgumentException(
          "azure.endpoint: found %s, allowed is an http or https URL with a host".formatted(uri));
    }
    boolean anonymous = azure.credential() instanceof Azure.Credential.None;
    if (anonymous && !Loopback.is(uri)) {
      throw new IllegalArgumentException(
          "azure.credential: none is allowed with a loopback azure.endpoint only, found " + uri);
    }
    if (!anonymous && !"https".equalsIgnoreCase(uri.getScheme())) {
      throw new IllegalArgumentException(
          "azure.endpoint: found %s, allowed is https unless azure.credential is none"
              .formatted(uri));
    }
    String text = uri.toString();
    String base = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    return new ArmEndpoint(URI.create(base), azure.apiVersion(), azure.audience());
  }

  private static String environment(Azure.Cloud cloud) {
    AzureEnvironment environment =
        switch (cloud) {
          case PUBLIC -> AzureEnvironment.AZURE;
          case CHINA -> AzureEnvironment.AZURE_CHINA;
          case US_GOVERNMENT -> AzureEnvironment.AZURE_US_GOVERNMENT;
        };
    return environment.getResourceManagerEndpoint();
  }

  private static boolean isHttp(URI uri) {
    return "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
  }

  private static boolean hasQuery(URI uri) {
    return uri.getRawQuery() != null || uri.getRawFragment() != null;
  }

  boolean isLoopback() {
    return Loopback.is(base);
  }

  /** The scope that a token for this endpoint is asked with. */
  String scope() {
    return audience.orElse(base.toString()) + "/.default";
  }

  /** The URL of a resource or a collection, escaped. */
  String url(String path) {
    return url(path, apiVersion);
  }

  /** The URL of another provider's resource, with its version. */
  String url(String path, String version) {
    try {
      String escaped = new URI(null, null, path, null).getRawPath();
      return base + ascii(escaped) + "?api-version=" + version;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("no path of a resource: " + path, e);
    }
  }

  /** Letters of any language are legal in a URI and in group names, but not on the wire. */
  private static String ascii(String path) {
    return OTHER_LETTERS
        .matcher(path)
        .replaceAll(found -> URLEncoder.encode(found.group(), StandardCharsets.UTF_8));
  }

  /**
   * Why a URL that an answer named is not at this endpoint, by scheme, host and port; empty if it
   * is. The token must not be sent anywhere else.
   */
  Optional<String> otherOrigin(String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      return Optional.of("no URL");
    }
    String origin = origin(uri);
    boolean same = uri.getRawUserInfo() == null && origin.equals(origin(base));
    return same ? Optional.empty() : Optional.of(origin + ", not " + origin(base));
  }

  /** The policy that sends no request, and so no token, to another origin. */
  Mono<HttpResponse> refuseOtherOrigins(
      HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return otherOrigin(context.getHttpRequest().getUrl().toString())
        .map(origin -> Mono.<HttpResponse>error(Failures.foreign(ArmCalls.kind(context), origin)))
        .orElseGet(next::process);
  }

  private static String origin(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
    int standard = scheme.equals("https") ? 443 : 80;
    return scheme + "://" + host + ":" + (uri.getPort() < 0 ? standard : uri.getPort());
  }
}
