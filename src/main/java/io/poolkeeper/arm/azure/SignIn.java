package io.poolkeeper.arm.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.model.ArmFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * A credential that logs why it gives no token: in full, with the fix, and once for each cause.
 * Every failure is one of authentication. Thread-safe.
 *
 * <p>A sign-in that nobody answers takes minutes to fail, so it may outlast the calls that wait for
 * it; see {@link TokenWait}. While the last token is valid, no call fails for lack of a new one.
 *
 * @param secret masked if the library quotes it
 * @param timeoutMessage what is logged of a sign-in that has not ended
 * @param lastCause the cause that was logged last; empty after a success
 * @param lastToken the last token; all are for one scope
 */
record SignIn(
    TokenCredential credential,
    Supplier<Optional<String>> secret,
    String timeoutMessage,
    AtomicReference<String> lastCause,
    AtomicReference<Optional<AccessToken>> lastToken)
    implements TokenCredential {
  private static final Logger log = LoggerFactory.getLogger(SignIn.class);

  /** Longer than the library tries; one sign-in that never ends would keep all calls waiting. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** How long a call waits for another token while the last one is valid. */
  private static final Duration RENEWAL_LIMIT = Duration.ofSeconds(3);

  /** No call uses a token that ends sooner. */
  private static final Duration MIN_VALIDITY = Duration.ofMinutes(2);

  private static final int MAX_TEXT = 4_000;

  private static final String FAILED = "sign-in=failed error=\"{}\" fix=\"{}\"";
  private static final Pattern CODE = Pattern.compile("AADSTS\\d+");

  /** Ids and times, which differ in each message. */
  private static final Pattern PASSING =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4,12}){4}|\\d");

  /** The fixes, by a part of the message; the first that applies counts. */
  private static final List<Map.Entry<Pattern, String>> FIXES =
      List.of(
          fix(
              "AADSTS700016",
              "no application of the tenant azure.tenant-id has the id azure.client-id: correct the wrong one"),
          fix(
              "AADSTS9000(2|23|21)\\b",
              "azure.tenant-id names no tenant of this cloud: correct it, or azure.cloud"),
          fix(
              "AADSTS70002(15|22)",
              "azure.client-secret is wrong or has expired: it is the value of a secret of the application, not the id of one"),
          fix(
              "AADSTS70021[123]?\\b",
              "no federated credential of the identity is for this Pod: its subject is system:serviceaccount:NAMESPACE:NAME, its issuer the cluster's, its audience api://AzureADTokenExchange"),
          fix(
              "AADSTS700024",
              "the federated token is not valid now: compare the clocks, and see that the token file is renewed"),
          fix(
              "(?i)non-null values|NoSuchFile|token file",
              "workload identity is not set up: the Pod needs the label azure.workload.identity/use, its service account the annotation azure.workload.identity/client-id"),
          fix(
              "Identity not found",
              "the machine has no managed identity azure.client-id: assign it, or correct the id"),
          fix(
              "IMDS|169\\.254\\.169\\.254",
              "the machine's identity endpoint 169.254.169.254 cannot be reached: assign a managed identity and allow the way to it, or use another azure.credential"),
          fix(
              "(?i)UnknownHost|resolve|connect|timed? ?out",
              "the authority cannot be reached: see azure.authority-host, DNS, and that the way to it is open (port 443)"),
          fix("", "see azure.credential, azure.tenant-id and azure.client-id"));

  SignIn(TokenCredential credential, Supplier<Optional<String>> secret, String timeoutMessage) {
    this(
        credential,
        secret,
        timeoutMessage,
        new AtomicReference<>(""),
        new AtomicReference<>(Optional.empty()));
  }

  private static Map.Entry<Pattern, String> fix(String found, String text) {
    return Map.entry(Pattern.compile(found), text);
  }

  @Override
  public Mono<AccessToken> getToken(TokenRequestContext request) {
    Mono<AccessToken> signIn =
        Mono.defer(() -> credential.getToken(request))
            .timeout(LIMIT)
            .doOnNext(this::succeeded)
            .doOnError(this::failed)
            .onErrorMap(Failures::authentication);
    // The library renews a token long before its end, and one call waits for that.
    return Mono.defer(
        () ->
            lastToken
                .get()
                .filter(valid -> request.getClaims() == null)
                .filter(valid -> valid.getDurationUntilExpiration().compareTo(MIN_VALIDITY) > 0)
                .map(
                    valid ->
                        Mono.fromFuture(signIn.toFuture(), true)
                            .timeout(RENEWAL_LIMIT)
                            .onErrorReturn(valid))
                .orElse(signIn));
  }

  /** The same sign-in, whose ends an observer receives, too. */
  SignIn reportedTo(ArmObserver observer) {
    TokenCredential reported =
        request ->
            credential
                .getToken(request)
                .doOnSuccess(token -> observer.signedIn(token != null))
                .doOnError(refused -> observer.signedIn(false));
    return new SignIn(reported, secret, timeoutMessage, lastCause, lastToken);
  }

  /**
   * The failure of a call that cannot wait any longer. It is logged unless a cause is known. The
   * library knows the cause better, and names it later.
   */
  ArmException late() {
    String fix = fixFor(timeoutMessage);
    if (lastCause.compareAndSet("", timeoutMessage)) {
      log.warn(FAILED, timeoutMessage, fix);
    }
    return new ArmException(
        new ArmFailure(
            ArmFailure.Kind.AUTHENTICATION,
            0,
            "",
            "no token: %s; %s".formatted(timeoutMessage, fix)));
  }

  private void succeeded(AccessToken token) {
    lastToken.set(Optional.of(token));
    if (!lastCause.getAndSet("").isEmpty()) {
      log.info("sign-in=succeeded");
    }
  }

  private void failed(Throwable failure) {
    String text = text(failure);
    Matcher code = CODE.matcher(text);
    String cause = code.find() ? code.group() : PASSING.matcher(text).replaceAll("");
    if (!cause.equals(lastCause.getAndSet(cause))) {
      log.warn(FAILED, text, fixFor(text));
    }
  }

  static String fixFor(String text) {
    return FIXES.stream()
        .filter(fix -> fix.getKey().matcher(text).find())
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  /** The failure, and its root cause unless the failure quotes that. */
  private String text(Throwable failure) {
    Throwable root = Failures.root(failure);
    String text = Failures.text(failure);
    boolean quoted = root.getMessage() != null && text.contains(root.getMessage());
    String whole = quoted ? text : text + " Cause: " + Failures.text(root);
    return Failures.line(
        secret.get().map(hidden -> whole.replace(hidden, "***")).orElse(whole), MAX_TEXT);
  }
}
