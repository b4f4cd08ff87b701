package io.poolkeeper.arm.azure;

import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.poolkeeper.model.ArmFailure.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/**
 * A failure of the connection to ARM, in words for people instead of the names of a library's
 * classes. If several apply, the first constant counts. An error to which none applies is no
 * failure of a connection, even if it is an {@code IOException}. Untrusted peers and refused
 * protocols are permanent; the others may pass, as may TLS that breaks off.
 */
enum ConnectionFailure {
  UNTRUSTED(
      Kind.UNTRUSTED,
      "the certificate of %s is not trusted",
      CertificateException.class,
      CertPathValidatorException.class,
      CertPathBuilderException.class,
      SSLPeerUnverifiedException.class),
  /** The peer speaks no TLS, or none that both sides accept. */
  PROTOCOL(Kind.UNTRUSTED, "no TLS with %s", NotSslRecordException.class) {
    @Override
    boolean is(Throwable cause) {
      return super.is(cause)
          || (cause instanceof SSLHandshakeException
              && REFUSED.matcher(Failures.text(cause)).find());
    }
  },
  NAME(Kind.UNCONNECTED, "the name of %s cannot be resolved", UnknownHostException.class),
  CONNECT(
      Kind.UNCONNECTED,
      "cannot connect to %s",
      ConnectException.class,
      NoRouteToHostException.class),
  TIMEOUT(
      Kind.TRANSPORT,
      "no answer from %s in time",
      TimeoutException.class,
      io.netty.handler.timeout.TimeoutException.class,
      SslHandshakeTimeoutException.class),
  TLS(Kind.TRANSPORT, "the TLS connection to %s broke off", SSLException.class),
  RESET(
      Kind.TRANSPORT,
      "connection reset by %s",
      AbortedException.class,
      ClosedChannelException.class,
      PrematureChannelClosureException.class,
      PrematureCloseException.class,
      NativeIoException.class,
      SocketException.class),
  /** The system's own words, such as "Broken pipe"; the kinds of it are other failures. */
  SYSTEM(Kind.TRANSPORT, "%s cannot be reached") {
    @Override
    boolean is(Throwable cause) {
      return cause.getClass() == IOException.class;
    }
  };

  private static final String PEER = "Azure Resource Manager";

  /** Words of a TLS library for a refused protocol; none is about a handshake that breaks off. */
  private static final Pattern REFUSED =
      Pattern.compile("(?i)protocol|handshake_failure|insufficient_security|wrong_version");

  private final Kind kind;
  private final String text;
  private final Class<?>[] types;

  ConnectionFailure(Kind kind, String text, Class<?>... types) {
    this.kind = kind;
    this.text = text;
    this.types = types;
  }

  /**
   * The worst of the causes; empty if none is a connection's, or if a file of the settings cannot
   * be used.
   */
  static Optional<ConnectionFailure> of(Throwable failure) {
    if (failure instanceof IllegalArgumentException) {
      return Optional.empty();
    }
    List<Throwable> causes =
        Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
            .limit(Failures.MAX_CAUSES)
            .toList();
    return Stream.of(values()).filter(kind -> causes.stream().anyMatch(kind::is)).findFirst();
  }

  boolean is(Throwable cause) {
    return Stream.of(types).anyMatch(type -> type.isInstance(cause));
  }

  Kind kind() {
    return kind;
  }

  /** Whether the request may have arrived. */
  boolean mayHaveArrived() {
    return kind == Kind.TRANSPORT;
  }

  /** The failure in words, with the library's own words where they help. */
  String text(Throwable failure) {
    String plain = text.formatted(PEER);
    Throwable root = Failures.root(failure);
    return switch (this) {
      case UNTRUSTED, PROTOCOL, NAME, CONNECT, TLS ->
          plain
              + ": "
              + Objects.requireNonNullElse(root.getMessage(), root.getClass().getSimpleName());
      case SYSTEM -> plain + ": " + failure.getMessage();
      case TIMEOUT, RESET -> plain;
    };
  }
}
