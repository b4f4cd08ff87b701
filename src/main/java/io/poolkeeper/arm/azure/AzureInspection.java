package io.poolkeeper.arm.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.AzureFacts.Balancer;
import io.poolkeeper.arm.AzureFacts.Denial;
import io.poolkeeper.arm.AzureFacts.Pool;
import io.poolkeeper.arm.AzureFacts.Token;
import io.poolkeeper.arm.Grant;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Look;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Looks at the identity, its rights and the load balancers; all at once, each within seconds. */
record AzureInspection(ArmClient arm, String subscription) {
  private static final Duration CALL = Duration.ofSeconds(4);
  private static final Duration LISTING = Duration.ofSeconds(7);
  private static final String PROVIDER = "/providers/Microsoft.Authorization/";
  private static final String VERSION = "2022-04-01";
  private static final int MAX_CONCURRENT = 8;

  private record Permission(String scope, Look<List<Grant>> look, Optional<Duration> ahead) {}

  Mono<AzureFacts> look(List<String> groups, List<String> scopes) {
    Mono<Map<String, Look<List<Balancer>>>> listed =
        Flux.fromIterable(groups)
            .flatMapSequential(
                group -> list(group).map(look -> Map.entry(group, look)), MAX_CONCURRENT)
            .collectMap(Map.Entry::getKey, Map.Entry::getValue, LinkedHashMap::new);
    Mono<List<Permission>> permitted =
        Flux.fromIterable(scopes).flatMap(this::permission, MAX_CONCURRENT).collectList();
    return Mono.zip(token(), listed, permitted, denials(groups.getFirst()))
        .map(
            all ->
                new AzureFacts(
                    all.getT1(),
                    all.getT2(),
                    all.getT3().stream()
                        .collect(Collectors.toMap(Permission::scope, Permission::look)),
                    all.getT4(),
                    all.getT3().stream()
                        .flatMap(permission -> permission.ahead().stream())
                        .findFirst()));
  }

  private <T> Mono<Look<T>> look(Mono<? extends T> call, Duration limit) {
    return arm.within(limit, call.<Look<T>>map(Look.Seen::new))
        .onErrorResume(failed -> Mono.just(failed(failed)));
  }

  private static <T> Look<T> failed(Throwable error) {
    ArmFailure failure = Failures.of(error).failure();
    return new Look.Failed<>(failure.status(), failure.code(), failure.toString());
  }

  private Mono<Look<Optional<Token>>> token() {
    TokenRequestContext scope = new TokenRequestContext().addScopes(arm.endpoint().scope());
    Mono<Optional<Token>> token =
        arm.credential()
            .map(
                signIn ->
                    TokenWait.marked(signIn.getToken(scope), signIn::late)
                        .map(accessToken -> Optional.of(owner(accessToken))))
            .orElseGet(() -> Mono.just(Optional.empty()));
    return look(token, CALL);
  }

  /** The owner of a token, whose signature is not checked; without ids if the token is no JWT. */
  private static Token owner(AccessToken token) {
    Instant expires = token.getExpiresAt().toInstant();
    String[] parts = token.getToken().split("\\.", -1);
    if (parts.length == 3) {
      try {
        BinaryData body = BinaryData.fromBytes(Base64.getUrlDecoder().decode(parts[1]));
        Json claims = Json.of(new Answer(200, new HttpHeaders(), body));
        Optional<String> client = claims.text("appid").or(() -> claims.text("azp"));
        return new Token(client, claims.text("oid"), expires);
      } catch (RuntimeException noClaims) {
        // Falls through to a token without ids.
      }
    }
    return new Token(Optional.empty(), Optional.empty(), expires);
  }

  private Mono<Look<List<Balancer>>> list(String group) {
    return look(
        LoadBalancerListing.of(
            arm,
            subscription,
            group,
            AzureInspection::balancer,
            (id, failure) -> new Balancer(id.name(), List.of(), Optional.of(failure.toString()))),
        LISTING);
  }

  private static Balancer balancer(Json found) {
    return new Balancer(
        found.text("name").orElse(""),
        PoolBody.properties(found).objects("backendAddressPools").stream()
            .map(AzureInspection::pool)
            .toList());
  }

  private static Pool pool(Json pool) {
    Json properties = PoolBody.properties(pool);
    List<PoolEntry> entries =
        properties.objects(PoolBody.ENTRIES).stream().map(PoolBody::entry).toList();
    int listed = properties.objects("backendIPConfigurations").size();
    long interfaces = entries.stream().filter(entry -> entry.ipConfiguration().isPresent()).count();
    long addresses = entries.stream().filter(entry -> entry.address().isPresent()).count();
    Set<String> networks = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    PoolBody.networks(properties.node()).forEach(networks::add);
    return new Pool(
        pool.text("name").orElse(""),
        Math.toIntExact(addresses),
        Math.toIntExact(addresses > 0 ? interfaces : Math.max(interfaces, listed)),
        networks);
  }

  private Mono<Permission> permission(String scope) {
    String url = arm.endpoint().url(scope + PROVIDER + "permissions", VERSION);
    return arm.within(CALL, arm.calls().get(ArmCalls.RIGHTS, url))
        .map(answer -> new Permission(scope, grants(answer), ahead(answer)))
        .onErrorResume(error -> Mono.just(new Permission(scope, failed(error), Optional.empty())));
  }

  private static Look<List<Grant>> grants(Answer answer) {
    try {
      Json page = Json.of(answer.expect(200, 200));
      if (page.text("nextLink").isPresent()) {
        return new Look.Failed<>(200, "", "there are more permissions than one page has");
      }
      return new Look.Seen<>(page.objects("value").stream().map(AzureInspection::grant).toList());
    } catch (RuntimeException wrong) {
      return failed(wrong);
    }
  }

  private static Grant grant(Json json) {
    return new Grant(texts(json.node().path("actions")), texts(json.node().path("notActions")));
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  /** How far Azure's clock is before ours. The header's time is cut off to whole seconds. */
  private Optional<Duration> ahead(Answer answer) {
    Instant now = arm.calls().clocks().wall().instant();
    try {
      return answer
          .header(HttpHeaderName.DATE)
          .map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)))
          .map(time -> Duration.between(now, time.plusMillis(500)));
    } catch (DateTimeParseException malformed) {
      return Optional.empty();
    }
  }

  private Mono<Look<List<Denial>>> denials(String group) {
    String scope = "/subscriptions/%s/resourceGroups/%s".formatted(subscription, group);
    String url = arm.endpoint().url(scope + PROVIDER + "denyAssignments", VERSION);
    Mono<List<Denial>> read =
        ArmCalls.pages(
            page -> arm.calls().get(ArmCalls.RIGHTS, page),
            url,
            arm.limits().pages(),
            found -> denial(PoolBody.properties(found)));
    return look(read, CALL);
  }

  private static Denial denial(Json properties) {
    return new Denial(
        properties.text("denyAssignmentName").orElse(""),
        properties.objects("permissions").stream().map(AzureInspection::grant).toList(),
        ids(properties, "principals"),
        ids(properties, "excludePrincipals"));
  }

  private static Set<String> ids(Json properties, String member) {
    return properties.objects(member).stream()
        .map(principal -> Names.fold(principal.text("id").orElse("")))
        .collect(Collectors.toUnmodifiableSet());
  }
}
