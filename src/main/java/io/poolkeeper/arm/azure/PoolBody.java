package io.poolkeeper.arm.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads a backend pool from ARM's JSON and writes an edit into it. A PUT replaces the whole pool,
 * so everything that the edit does not name and ARM does not set itself is sent back as it was
 * read, known or not.
 */
final class PoolBody {
  static final String ENTRIES = "loadBalancerBackendAddresses";
  private static final String INTERFACE = "networkInterfaceIPConfiguration";
  private static final String ADMIN_STATE = "adminState";
  private static final String NETWORK = "virtualNetwork";
  private static final Pattern SUBNET = Pattern.compile("(?i)/subnets/[^/]+$");
  private static final String UPDATING = "Updating";

  private PoolBody() {}

  /**
   * The pool in the answer to a GET; an answer about another pool is refused.
   *
   * @param vnetId the virtual network in the settings
   */
  static RawPool read(PoolId asked, Answer answer, Optional<String> vnetId) {
    Json pool = Json.of(answer);
    PoolId id =
        pool.text("id")
            .map(
                text ->
                    ArmIds.pool(text)
                        .filter(asked::equals)
                        .orElseThrow(
                            () ->
                                Json.malformed(
                                    "id is %s, must be %s".formatted(text, asked.path()))))
            .orElse(asked);
    return RawPool.of(view(id, pool, answer.etag(), vnetId.isPresent()), pool.node());
  }

  /**
   * The pool in an answer or in a listing.
   *
   * @param etag for one that does not say its own
   * @param networked whether the settings name a virtual network
   */
  static PoolView view(PoolId id, Json pool, String etag, boolean networked) {
    Json properties = properties(pool);
    Set<String> rules = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (Json rule : properties.objects("loadBalancingRules")) {
      rules.add(ArmIds.name(rule.requiredText("id")));
    }
    return new PoolView(
        id,
        pool.text("etag").filter(own -> !own.isEmpty()).orElse(etag),
        properties.text("provisioningState").filter(UPDATING::equalsIgnoreCase).isPresent(),
        properties.objects(ENTRIES).stream().map(PoolBody::entry).toList(),
        rules,
        networked || network(properties.node()).isPresent(),
        properties.object("outboundRule").isPresent()
            || !properties.objects("outboundRules").isEmpty());
  }

  /** The virtual network that the pool names, or else the first of its entries that names one. */
  private static Optional<String> network(JsonNode properties) {
    return networks(properties).findFirst();
  }

  /** The virtual networks that the pool and its entries name. */
  static Stream<String> networks(JsonNode properties) {
    return Stream.concat(
            Stream.of(properties),
            StreamSupport.stream(properties.path(ENTRIES).spliterator(), false)
                .map(entry -> entry.path("properties")))
        .flatMap(
            part ->
                Stream.of(part.at("/virtualNetwork/id"), part.at("/subnet/id"))
                    .filter(JsonNode::isTextual))
        .map(id -> SUBNET.matcher(id.textValue()).replaceFirst(""));
  }

  static Json properties(Json resource) {
    return resource
        .object("properties")
        .orElseThrow(() -> Json.malformed((resource.path() + " properties is missing").trim()));
  }

  /** Reads an entry. If it has an address, an interface that ARM names, too, does not count. */
  static PoolEntry entry(Json entry) {
    Optional<Json> properties = entry.object("properties");
    Optional<Address> address =
        properties.flatMap(members -> members.text("ipAddress")).flatMap(Address::parse);
    return new PoolEntry(
        entry.text("name").orElse(""),
        address,
        properties
            .flatMap(members -> members.object(INTERFACE))
            .flatMap(configuration -> configuration.text("id"))
            .filter(id -> address.isEmpty()),
        AdminState.of(properties.flatMap(members -> members.text(ADMIN_STATE))));
  }

  /**
   * The body of the PUT.
   *
   * <p>An address is valid only with a virtual network, at the pool or at itself, so an added one
   * must have it. The pool's own is never replaced. If it has none, it gets the configured one, as
   * from the cloud provider; except if an entry that stays has a network or subnet of its own,
   * which may be another one: then the pool is of the other form, and only the added entries get
   * it. If none is configured, an entry's is taken.
   *
   * @param raw as read; not changed
   */
  static ObjectNode apply(ObjectNode raw, PoolEdit edit, Optional<String> vnetId) {
    ObjectNode pool = raw.deepCopy();
    if (edit.isEmpty()) {
      return pool;
    }
    ObjectNode properties = pool.withObjectProperty("properties");
    ArrayNode entries = pool.arrayNode();
    for (JsonNode entry : properties.withArrayProperty(ENTRIES)) {
      if (!edit.removes(entry.path("name").asText(), address(entry))) {
        entries.add(entry);
      }
    }
    boolean perEntry =
        StreamSupport.stream(entries.spliterator(), false).anyMatch(PoolBody::hasNetwork);
    boolean needsNetwork =
        !edit.add().isEmpty() && !properties.at("/virtualNetwork/id").isTextual();
    Optional<String> network =
        needsNetwork ? vnetId.or(() -> network(raw.path("properties"))) : Optional.empty();
    if (!perEntry) {
      network.ifPresent(id -> properties.withObjectProperty(NETWORK).put("id", id));
    }
    for (Map.Entry<Address, String> added : edit.add().entrySet()) {
      ObjectNode entry = entries.addObject().put("name", added.getValue());
      ObjectNode own = entry.putObject("properties").put("ipAddress", added.getKey().text());
      if (perEntry) {
        network.ifPresent(id -> own.putObject(NETWORK).put("id", id));
      }
    }
    entries.forEach(entry -> setAdminState(entry, edit.adminStates()));
    properties.set(ENTRIES, entries);
    return pool;
  }

  private static void setAdminState(JsonNode entry, Map<String, AdminState> states) {
    AdminState state = states.get(entry.path("name").asText());
    if (state != null) {
      ((ObjectNode) entry).withObjectProperty("properties").put(ADMIN_STATE, state.text());
    }
  }

  private static Optional<Address> address(JsonNode entry) {
    JsonNode text = entry.at("/properties/ipAddress");
    return text.isTextual() ? Address.parse(text.textValue()) : Optional.empty();
  }

  private static boolean hasNetwork(JsonNode entry) {
    JsonNode properties = entry.path("properties");
    return properties.path(NETWORK).isObject() || properties.path("subnet").isObject();
  }
}
