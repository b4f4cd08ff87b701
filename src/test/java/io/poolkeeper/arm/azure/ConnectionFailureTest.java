package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.MalformedURLException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.netty.http.client.PrematureCloseException;

class ConnectionFailureTest {
  private static final String ARM = "Azure Resource Manager";

  static Stream<Arguments> failuresOfTls() throws Exception {
    Throwable unknownIssuer = new CertPathValidatorException("unable to find a path");
    Throwable handshake = new SSLHandshakeException("PKIX").initCause(unknownIssuer);
    return Stream.of(
        arguments(
            handshake,
            Kind.UNTRUSTED,
            "the certificate of " + ARM + " is not trusted: unable to find a path"),
        arguments(
            new SSLException("x", new CertificateException("No name matching")),
            Kind.UNTRUSTED,
            "the certificate of " + ARM + " is not trusted: No name matching"),
        arguments(
            new SSLHandshakeException("Remote host terminated the handshake"),
            Kind.TRANSPORT,
            "the TLS connection to " + ARM + " broke off: Remote host terminated the handshake"),
        arguments(
            new SSLHandshakeException("Connection closed while SSL/TLS handshake was in progress"),
            Kind.TRANSPORT,
            "the TLS connection to "
                + ARM
                + " broke off: Connection closed while SSL/TLS handshake was in progress"),
        arguments(
            new SSLHandshakeException("(protocol_version) Received fatal alert: protocol_version"),
            Kind.UNTRUSTED,
            "no TLS with " + ARM + ": (protocol_version) Received fatal alert: protocol_version"),
        arguments(
            new SSLHandshakeException("No appropriate protocol"),
            Kind.UNTRUSTED,
            "no TLS with " + ARM + ": No appropriate protocol"),
        arguments(
            new NotSslRecordException("not an SSL/TLS record"),
            Kind.UNTRUSTED,
            "no TLS with " + ARM + ": not an SSL/TLS record"),
        arguments(
            new SslHandshakeTimeoutException("after 10000ms"),
            Kind.TRANSPORT,
            "no answer from " + ARM + " in time"),
        arguments(
            new SSLException("bad record MAC"),
            Kind.TRANSPORT,
            "the TLS connection to " + ARM + " broke off: bad record MAC"));
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new TimeoutException(), Kind.TRANSPORT, "no answer from " + ARM + " in time"),
        arguments(
            ReadTimeoutException.INSTANCE, Kind.TRANSPORT, "no answer from " + ARM + " in time"),
        arguments(
            new UnknownHostException("management.example"),
            Kind.UNCONNECTED,
            "the name of " + ARM + " cannot be resolved: management.example"),
        arguments(
            new ConnectException("refused"),
            Kind.UNCONNECTED,
            "cannot connect to " + ARM + ": refused"),
        arguments(
            new ConnectTimeoutException("timed out"),
            Kind.UNCONNECTED,
            "cannot connect to " + ARM + ": timed out"),
        arguments(
            new NoRouteToHostException("no route"),
            Kind.UNCONNECTED,
            "cannot connect to " + ARM + ": no route"),
        arguments(
            PrematureCloseException.TEST_EXCEPTION, Kind.TRANSPORT, "connection reset by " + ARM),
        arguments(
            new PrematureChannelClosureException("Connection closed before received headers"),
            Kind.TRANSPORT,
            "connection reset by " + ARM),
        arguments(new ClosedChannelException(), Kind.TRANSPORT, "connection reset by " + ARM),
        arguments(
            new SocketException("Connection reset by peer"),
            Kind.TRANSPORT,
            "connection reset by " + ARM),
        arguments(
            new IOException("Broken pipe"),
            Kind.TRANSPORT,
            ARM + " cannot be reached: Broken pipe"),
        arguments(new MalformedURLException("x"), Kind.OTHER, "MalformedURLException: x"),
        arguments(new IllegalStateException("a bug"), Kind.OTHER, "IllegalStateException: a bug"));
  }

  @ParameterizedTest
  @MethodSource({"failures", "failuresOfTls"})
  void of_failureBelowHttp_saysInWordsWhatHappened(Throwable failure, Kind kind, String text) {
    assertThat(Failures.of(failure).failure()).isEqualTo(new ArmFailure(kind, 0, "", text));
  }
}
