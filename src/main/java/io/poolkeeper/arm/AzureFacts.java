package io.poolkeeper.arm;

import io.poolkeeper.model.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What {@link AzureProbe} has seen at Azure.
 *
 * @param token empty if none is sent
 * @param groups the load balancers by resource group, in the order asked
 * @param permissions what the identity may do, by scope
 * @param denials the deny assignments at the first group
 * @param ahead how far Azure's clock is before ours, to a second; empty if no answer said it
 */
public record AzureFacts(
    Look<Optional<Token>> token,
    Map<String, Look<List<Balancer>>> groups,
    Map<String, Look<List<Grant>>> permissions,
    Look<List<Denial>> denials,
    Optional<Duration> ahead) {
  /**
   * The owner of a token, without the token.
   *
   * @param client the application's id
   * @param object the principal's id, by which a role is assigned
   */
  public record Token(Optional<String> client, Optional<String> object, Instant expires) {}

  /**
   * A load balancer.
   *
   * @param unreadable why its pools are unknown; empty if they are known
   */
  public record Balancer(String name, List<Pool> pools, Optional<String> unreadable) {
    /** One that could be read. */
    public Balancer(String name, List<Pool> pools) {
      this(name, pools, Optional.empty());
    }
  }

  /**
   * A backend pool.
   *
   * @param addresses how many of its entries have an IP address
   * @param interfaces how many are network interfaces
   * @param networks the virtual networks that it and its entries name, as ids
   */
  public record Pool(String name, int addresses, int interfaces, Set<String> networks) {}

  /**
   * A deny assignment.
   *
   * @param principals whom it is for
   * @param excluded whom it is not for
   */
  public record Denial(
      String name, List<Grant> takes, Set<String> principals, Set<String> excluded) {}

  /** The identity, if a token says it. */
  public Optional<Token> identity() {
    return token instanceof Look.Seen<Optional<Token>> seen ? seen.value() : Optional.empty();
  }
}
