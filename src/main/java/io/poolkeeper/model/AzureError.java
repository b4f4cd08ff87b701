package io.poolkeeper.model;

import static io.poolkeeper.model.AzureError.Reach.LOAD_BALANCER;
import static io.poolkeeper.model.AzureError.Reach.NONE;
import static io.poolkeeper.model.AzureError.Reach.SECOND;
import static io.poolkeeper.model.AzureError.Reach.SUBSCRIPTION;
import static io.poolkeeper.model.Verdict.RETRIABLE;
import static io.poolkeeper.model.Verdict.STALE;
import static io.poolkeeper.model.Verdict.TERMINAL;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one table of Azure's errors: for each code who can end it, whether it is retried, and which
 * gate a 429 closes. Codes are compared in any case, and {@code *} stands for any text. Of several
 * codes of one answer, the one that is here first counts. docs/topics/multislb.md has the same
 * table for people.
 */
public enum AzureError {
  /** A later write has taken the place of an accepted one. */
  SUPERSEDED(409, Ender.OTHER_WRITER, RETRIABLE, NONE, "Canceled*", "OperationPreempted*"),
  SCOPE_LOCKED(409, Ender.LOCK, TERMINAL, NONE, "ScopeLocked"),
  /**
   * The group vanishes, the network provider is not registered, or a bill is not paid: nobody else
   * writes.
   */
  CLOSED(
      409,
      Ender.NOBODY,
      RETRIABLE,
      NONE,
      "ResourceGroupBeingDeleted",
      "MissingSubscriptionRegistration",
      "ReadOnlyDisabledSubscription"),
  CONFLICT(409, Ender.OTHER_WRITER, RETRIABLE, NONE, "AnotherOperation*", "Conflict*", "*"),
  PRECONDITION(412, Ender.OTHER_WRITER, RETRIABLE, NONE, "PreconditionFailed*", "*"),
  /** Resource Manager's own limit, which is one for all resource providers. */
  GATEWAY_QUOTA(429, Ender.QUOTA, RETRIABLE, SUBSCRIPTION, "SubscriptionRequestsThrottled"),
  /** The network provider's limit of a subscription and region, also in the form of a lock. */
  NETWORK_QUOTA(
      429,
      Ender.QUOTA,
      RETRIABLE,
      SUBSCRIPTION,
      "TooManyRequests*",
      "*TooManyCalls*",
      "RetryableErrorDueTooHighReadDataSize"),
  /** The load balancer, or what it refers to, is being changed. */
  BUSY(
      429,
      Ender.LOAD_BALANCER,
      RETRIABLE,
      LOAD_BALANCER,
      "RetryableError",
      "*AnotherOperation*",
      "GatewayError",
      "ReferencedResourceNotProvisioned",
      "*RequestTimedOut*",
      "*BatchQueueTimeout*"),
  /** A 429 that is not known to be one of these. */
  THROTTLED(429, Ender.LOAD_BALANCER, RETRIABLE, SECOND, "RetryableError*", "*"),
  RIGHT_MISSING(
      403, Ender.GRANT, TERMINAL, NONE, "AuthorizationFailed", "LinkedAuthorizationFailed"),
  DENY_ASSIGNMENT(403, Ender.LOCKED_GROUP, TERMINAL, NONE, "DenyAssignmentAuthorizationFailed"),
  DISALLOWED_BY_POLICY(403, Ender.POLICY, TERMINAL, NONE, "RequestDisallowedByPolicy"),
  NO_TOKEN(401, Ender.CREDENTIAL, TERMINAL, NONE, "*"),
  NOT_FOUND(404, Ender.NOBODY, STALE, NONE, "*"),
  /**
   * The call itself was repeated already: a second layer of retries would multiply the first. The
   * codes are an operation's.
   */
  UNAVAILABLE(0, Ender.TIME, TERMINAL, NONE, "Internal*", "*Timeout*", "*ServiceUnavailable*"),
  NOT_ACCEPTED(0, Ender.NOBODY, TERMINAL, NONE);

  /** Who can end an error. */
  public enum Ender {
    /** It passes. */
    TIME("failing"),
    /** Another client, whose writes end. */
    OTHER_WRITER("contested"),
    /** All clients of the subscription, which share a quota. */
    QUOTA("throttled"),
    /** Whatever keeps this load balancer busy. */
    LOAD_BALANCER("throttled"),
    /** An operator, who grants a right. */
    GRANT("refused"),
    /** An operator, who mends the credential. */
    CREDENTIAL("sign-in-failing"),
    LOCK("resource-lock", "A resource lock forbids it. Who may delete locks can end this."),
    POLICY("policy-denies", "Azure Policy forbids it. The assignment's owner can exempt it."),
    LOCKED_GROUP("locked-group", "A deny assignment forbids it. No role helps against that."),
    /** Nobody as it is: the request or the resource must change. */
    NOBODY("failing");

    private final String key;
    private final String words;

    Ender(String key) {
      this(key, "");
    }

    Ender(String key, String words) {
      this.key = key;
      this.words = words;
    }

    /** The key of the cause, whose texts are in {@code causes.properties}. */
    public String key() {
      return key;
    }

    /** A sentence for an event; empty if Azure's own message says enough. */
    public String words() {
      return words;
    }
  }

  /** Whose gate a 429 closes. */
  public enum Reach {
    NONE,
    LOAD_BALANCER,
    SUBSCRIPTION,
    /** The load balancer's; the subscription's, too, if a second one meets the same soon. */
    SECOND
  }

  /**
   * What a message names: bounded, and no markup. The lock itself, rather than what it locks. A
   * name may have an apostrophe.
   */
  private static final List<Pattern> LOCKS =
      forms(
          "(/[^\\s'\"<>]{1,400}/Microsoft\\.Authorization/locks/[^\\s'\"<>,]{0,89}[^\\s'\"<>,.])",
          "locked:? ['\"]([^'\"<>]{1,400})['\"]");

  private static final List<Pattern> ASSIGNMENTS =
      forms(
          "policy assignment <([^<>]{1,260})>",
          "policy ?assignment\\W{1,20}name\\W{1,9}\"([^\"<>\\\\]{1,260})",
          "policy ?assignment\\W{1,20}name\\W{1,10}([^'\"<>\\\\]{1,260})",
          "policyAssignments/([^\\s'\"<>/\\\\]{1,260})");

  private static final List<Pattern> DENIALS =
      forms(
          "deny assignment with name ['\"]([^\"<>]{1,260}?)['\"] and id ",
          "deny assignment with name ['\"]([^'\"<>]{1,260})['\"]");

  private final int status;
  private final Ender ender;
  private final Verdict verdict;
  private final Reach reach;
  private final boolean anyCode;
  private final Pattern code;

  /** The code {@code *} alone is any other of the status, but none of an operation. */
  AzureError(int status, Ender ender, Verdict verdict, Reach reach, String... codes) {
    this.status = status;
    this.ender = ender;
    this.verdict = verdict;
    this.reach = reach;
    this.anyCode = List.of(codes).contains("*");
    this.code =
        Pattern.compile(
            Arrays.stream(codes)
                .filter(glob -> !glob.equals("*"))
                .map(glob -> "|" + glob.replace("*", ".*"))
                .collect(Collectors.joining("", "(?!)", "")),
            Pattern.CASE_INSENSITIVE);
  }

  private static List<Pattern> forms(String... forms) {
    return Arrays.stream(forms)
        .map(form -> Pattern.compile(form, Pattern.CASE_INSENSITIVE))
        .toList();
  }

  /**
   * The error of an answer or of an operation.
   *
   * @param status 0 of an operation: its code alone counts
   * @param code as Azure writes it; empty if there was none
   */
  public static AzureError of(int status, String code) {
    boolean passes = status == 0 ? code.isEmpty() : status == 408 || status >= 500;
    for (AzureError error : values()) {
      boolean sameStatus = status == 0 || error.status == status;
      boolean anyCode = error.anyCode && status != 0;
      if (sameStatus && (anyCode || error.code.matcher(code).matches())) {
        return error;
      }
    }
    return passes ? UNAVAILABLE : NOT_ACCEPTED;
  }

  /**
   * The code that counts of an error and its details. A detail counts rather than {@code
   * RetryableError}, which says nothing by itself, and where it says the same more exactly.
   */
  public static String decisive(int status, String code, List<String> details) {
    boolean envelope = code.equalsIgnoreCase("RetryableError") && !details.isEmpty();
    String best =
        Stream.concat(envelope ? Stream.of() : Stream.of(code), details.stream())
            .min(Comparator.comparing(candidate -> of(status, candidate)))
            .orElse(code);
    return details.stream()
        .filter(detail -> detail.regionMatches(true, 0, best, 0, best.length()))
        .findFirst()
        .orElse(best);
  }

  /** What a message names: the lock, the assignment; empty if nothing. */
  public String named(String message) {
    List<Pattern> forms =
        switch (ender) {
          case LOCK -> LOCKS;
          case POLICY -> ASSIGNMENTS;
          case LOCKED_GROUP -> DENIALS;
          case TIME, OTHER_WRITER, QUOTA, LOAD_BALANCER, GRANT, CREDENTIAL, NOBODY -> List.of();
        };
    return forms.stream()
        .map(form -> form.matcher(message))
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .findFirst()
        .orElse("");
  }

  public Ender ender() {
    return ender;
  }

  public Verdict verdict() {
    return verdict;
  }

  public Reach reach() {
    return reach;
  }
}
