package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenRequestContext;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

class SignInTest {
  private static final String UNKNOWN =
      "AADSTS700016: Application with identifier 'c' was not found. Trace ID:"
          + " 0f9f0bcd-5f6a-4c0c-9a3e-0d6a2b6a%04d Timestamp: 2026-11-26 10:00:%02dZ";

  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(SignIn.class);
  private final Queue<Mono<AccessToken>> script = new ArrayDeque<>();
  private final SignIn signIn =
      new SignIn(
          request -> script.remove(),
          () -> Optional.of("hush"),
          "signing in timed out at 169.254.169.254");

  @BeforeEach
  void listen() {
    appender.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  @AfterEach
  void stop() {
    logger.setLevel(null);
    logger.detachAppender(appender);
  }

  private List<String> log() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private void asked(Mono<AccessToken> answer) {
    script.add(answer);
    signIn.getToken(new TokenRequestContext()).onErrorComplete().block();
  }

  @Test
  void failure_ofTheSameCause_isLoggedOnceWithItsFix() {
    IntStream.range(0, 3)
        .forEach(i -> asked(Mono.error(new IllegalStateException(UNKNOWN.formatted(i, i)))));

    assertThat(log())
        .singleElement()
        .asString()
        .startsWith("sign-in=failed error=\"IllegalStateException: AADSTS700016: Application")
        .contains("azure.client-id");
  }

  @Test
  void failure_ofAnotherCauseOrAfterASuccess_isLoggedAgain() {
    Mono<AccessToken> unknown = Mono.error(new IllegalStateException(UNKNOWN.formatted(1, 1)));
    asked(unknown);
    asked(Mono.error(new IllegalStateException("AADSTS90002: Tenant 't' not found.")));
    asked(Mono.just(new AccessToken("token", OffsetDateTime.MAX)));
    asked(unknown);

    assertThat(log())
        .satisfiesExactly(
            line -> assertThat(line).contains("AADSTS700016"),
            line -> assertThat(line).contains("azure.tenant-id names no tenant"),
            line -> assertThat(line).isEqualTo("sign-in=succeeded"),
            line -> assertThat(line).contains("AADSTS700016"));
  }

  @Test
  void failure_withACauseAndTheSecret_isWholeAndMasksIt() {
    asked(
        Mono.error(
            new IllegalStateException(
                "no token with hush", new IOException(new NoSuchFileException("/var/token")))));

    assertThat(log())
        .singleElement()
        .asString()
        .contains("no token with ***", "NoSuchFileException: /var/token", "workload identity")
        .doesNotContain("hush");
  }

  @Test
  void getToken_renewalThatFailsOrDoesNotEnd_givesTheTokenThatIsStillValid() {
    AccessToken valid = new AccessToken("first", OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
    TokenRequestContext scope = new TokenRequestContext();
    script.addAll(
        List.of(Mono.just(valid), Mono.error(new IllegalStateException("x")), Mono.never()));

    for (int call = 0; call < 3; call++) {
      assertThat(signIn.getToken(scope).block()).isSameAs(valid);
    }

    assertThat(script).isEmpty();
    assertThat(log()).hasSize(1).first().asString().startsWith("sign-in=failed");
  }

  @Test
  void getToken_renewalThatFailsAtTheEndOfTheLastToken_fails() {
    AccessToken ending =
        new AccessToken("first", OffsetDateTime.now(ZoneOffset.UTC).plusSeconds(60));
    script.addAll(List.of(Mono.just(ending), Mono.error(new IllegalStateException("x"))));
    signIn.getToken(new TokenRequestContext()).block();

    assertThatExceptionOfType(ArmException.class)
        .isThrownBy(() -> signIn.getToken(new TokenRequestContext()).block());
  }

  @Test
  void late_ofNoCauseYet_saysTheFixAndIsLoggedOnce_andTheLibrarysCauseAfterIt() {
    ArmFailure failure = signIn.late().failure();
    signIn.late();
    asked(Mono.error(new IllegalStateException("AADSTS90002: Tenant 't' not found.")));
    signIn.late();

    assertThat(failure.kind()).isEqualTo(ArmFailure.Kind.AUTHENTICATION);
    assertThat(failure.message())
        .startsWith("no token: signing in timed out at 169.254.169.254; ")
        .contains("assign a managed identity");
    assertThat(log())
        .satisfiesExactly(
            line -> assertThat(line).contains("timed out", "assign a managed identity"),
            line -> assertThat(line).contains("azure.tenant-id names no tenant"));
  }

  @ParameterizedTest
  @CsvSource({
    "AADSTS7000222: The provided client secret keys are expired, azure.client-secret",
    "AADSTS700213: No matching federated identity record found, federated credential",
    "AADSTS70021: No matching federated identity record found, federated credential",
    "AADSTS700024: Client assertion is not within its valid time range, clocks",
    "'Must provide non-null values for Client ID, Tenant ID, Service Token File Path', workload",
    "Connection to IMDS endpoint cannot be established, managed identity",
    "Failed to resolve 'login.microsoftonline.com', azure.authority-host",
    "anything else, azure.credential"
  })
  void fix_eachKnownCause_hasItsOwn(String text, String fix) {
    assertThat(SignIn.fixFor(text)).contains(fix);
  }
}
