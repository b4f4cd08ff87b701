package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.service;
import static io.poolkeeper.admission.BindingFixtures.status;
import static io.poolkeeper.admission.BindingFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport.Condition;
import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the conditions of a binding say, reason by reason. */
class BindingConditionsTest {
  private static final ArmFailure FAILURE =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");

  private static Outcome outcome(String words) {
    return switch (words) {
      case "follows" -> new Follows(POOL, view("a", "web").target().orElseThrow());
      case "leaves" -> new Leaves(POOL, true);
      default -> new Refused("NotAllowed", "no");
    };
  }

  private static Admission admission(String words) {
    return switch (words) {
      case "admitted" -> new Admission.Admitted();
      case "held" -> new Admission.Held(Optional.empty(), "waiting for freeze");
      case "rejected" -> new Admission.Rejected("rejected by freeze");
      default -> new Admission.Inactive();
    };
  }

  private static Listed listed(String words) {
    return switch (words) {
      case "missing" -> new Listed(Set.of(POOL), Map.of(), Map.of());
      case "unread" -> new Listed(Set.of(), Map.of(POOL, FAILURE), Map.of());
      case "out" -> new Listed(Set.of(), Map.of(), Map.of(POOL, "so"));
      default -> Listed.NOTHING;
    };
  }

  /** Its state and addresses, of which those of 10.0.0.x carry the mark; 10.0.0.4 is desired. */
  private static Optional<PoolStatus> pool(String words) {
    if (words.equals("none")) {
      return Optional.empty();
    }
    String[] parts = words.split(" ", -1);
    Set<Address> in = addresses(Arrays.copyOfRange(parts, 1, parts.length));
    Set<Address> marked = new TreeSet<>(in);
    marked.removeIf(address -> !address.text().startsWith("10.0.0."));
    boolean interfaces = parts[0].equals("Interfaces");
    Map<ServiceKey, Set<Address>> services =
        parts[0].equals("Unowned")
            ? Map.of()
            : Map.of(service("web"), interfaces ? Set.of() : addresses("10.0.0.4"));
    Optional<ArmFailure> error = Optional.of(FAILURE).filter(any -> parts[0].equals("Failed"));
    return Optional.of(status(services, parts[0], error, in, marked, Optional.empty(), interfaces));
  }

  private static BindingConditions conditions(
      String outcome, String admission, String listed, String pool) {
    return new BindingConditions(
        outcome(outcome), admission(admission), listed(listed), pool(pool));
  }

  private static String words(Condition condition) {
    return "%s %s: %s"
        .formatted(condition.status(), condition.reason(), condition.message())
        .strip();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          refused | inactive | nothing | none | FALSE NotAllowed: no
          leaves | admitted | nothing | Idle 10.0.0.4 | FALSE Deleting: what this binding has added is being removed; soon after a restart, or a change of the leader, it waits until no earlier write can arrive any more (turnstile.turn-deadline)
          follows | inactive | nothing | Idle 10.0.0.4 | FALSE Inactive: what is in the pool stays until the binding is deleted
          follows | admitted | out | none | FALSE OptedOut: so
          follows | admitted | missing | none | FALSE PoolNotFound: there is no pool %POOL
          follows | admitted | unread | none | UNKNOWN NotListed: the load balancer gateway of the resource group rg: HTTP 403 AuthorizationFailed: no rights
          # Before its Service is known in the pool nothing is known.
          follows | admitted | nothing | none | UNKNOWN Starting: the pool was not read yet
          follows | admitted | nothing | Unowned | UNKNOWN Starting: the pool was not read yet
          # What is foreign does not count, but what carries the mark does.
          follows | admitted | nothing | Idle 10.0.0.4 10.9.0.1 | TRUE InSync:
          follows | admitted | nothing | Idle 10.0.0.4 10.0.0.5 | FALSE Updating: why
          follows | admitted | nothing | Idle | FALSE Updating: why
          # No EndpointSlice says what is desired: the Service may not exist.
          follows | admitted | nothing | Unknown 10.0.0.4 | FALSE Updating: why
          follows | admitted | nothing | Gathering 10.0.0.4 | FALSE Updating: why
          follows | held | nothing | Gathering 10.0.0.4 | FALSE Held: waiting for freeze
          follows | admitted | nothing | Failed 10.0.0.4 | FALSE WriteFailed: HTTP 403 AuthorizationFailed: no rights
          follows | admitted | nothing | Interfaces | FALSE NetworkInterfaces: the pool's members are network interfaces, so that no address can be added
          """,
      quoteCharacter = '"')
  void ready_saysWhatItWaitsFor(
      String outcome, String admission, String listed, String pool, String expected) {
    BindingConditions of = conditions(outcome, admission, listed, pool);

    assertThat(words(of.ready()).replace(POOL.path(), "%POOL")).isEqualTo(expected);
    assertThat(of.known()).isEqualTo(!expected.contains("Starting"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          refused | inactive | UNKNOWN Refused: no check is asked
          follows | admitted | TRUE Admitted:
          follows | held | FALSE Waiting: waiting for freeze
          follows | rejected | FALSE Rejected: rejected by freeze
          follows | inactive | UNKNOWN Inactive: no check is asked for an inactive binding
          """)
  void admitted_isWhatTheChecksSay(String outcome, String admission, String expected) {
    assertThat(words(conditions(outcome, admission, "nothing", "none").admitted()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"Parked, TRUE RetryAfter: why", "Idle, FALSE NotThrottled:"})
  void throttled_isAPoolThatWaitsForRetryAfter(String pool, String expected) {
    assertThat(words(conditions("follows", "admitted", "nothing", pool).throttled()))
        .isEqualTo(expected);
  }
}
