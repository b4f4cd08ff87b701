package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.management.SubResource;
import com.azure.resourcemanager.network.fluent.LoadBalancersClient;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancerInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancingRuleInner;
import com.azure.resourcemanager.network.models.LoadBalancerBackendAddress;
import com.fasterxml.jackson.core.filter.TokenFilter;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The load balancers of a resource group, through the library's typed client. A rule belongs to a
 * pool if the rule names the pool of this very load balancer, or the pool the rule; an outbound
 * rule likewise.
 */
final class LoadBalancerListing {
  /** The kind of its calls, first page and others. */
  static final String KIND = "list";

  /** The check does not look at addresses, and a tree of them takes many times their bytes. */
  static final TokenFilter NO_ADDRESSES =
      new TokenFilter() {
        @Override
        public @Nullable TokenFilter includeProperty(String name) {
          return name.equals(PoolJson.ENTRIES) ? null : this;
        }

        @Override
        public boolean includeEmptyArray(boolean contentsFiltered) {
          return true;
        }

        @Override
        public boolean includeEmptyObject(boolean contentsFiltered) {
          return true;
        }
      };

  /** What the rules of a load balancer say about pools. */
  private record Uses(Map<PoolId, List<String>> rules, Set<PoolId> outbound) {}

  private LoadBalancerListing() {}

  /** The configured group and then the others, one after the other; fails if none can be listed. */
  static Mono<Listing> of(
      Function<String, Mono<List<LoadBalancerView>>> list,
      String configured,
      Collection<String> others) {
    Map<String, ArmFailure> unread = new HashMap<>();
    Set<String> groups = new TreeSet<>();
    List<ArmException> failures = new ArrayList<>();
    Function<String, Mono<List<LoadBalancerView>>> tried =
        group ->
            list.apply(group)
                .doOnSuccess(listed -> groups.add(Names.fold(group)))
                .onErrorResume(
                    ArmException.class,
                    failed -> {
                      failures.add(failed);
                      unread.put(Names.fold(group), failed.failure());
                      return Mono.just(List.of());
                    });
    Mono<List<LoadBalancerView>> elsewhere =
        Flux.fromIterable(others)
            .concatMap(
                group -> tried.apply(group).doOnSuccess(listed -> absent(group, groups, unread)))
            .concatMapIterable(views -> views)
            .collectList();
    return tried
        .apply(configured)
        .zipWhen(listed -> elsewhere)
        .map(
            all -> {
              Optional<ArmFailure> failure =
                  Optional.ofNullable(unread.get(Names.fold(configured)));
              if (groups.isEmpty() && failure.isPresent()) {
                throw failures.getFirst();
              }
              return new Listing(all.getT1(), all.getT2(), groups, unread, failure);
            });
  }

  /** Another group that does not exist holds nothing. */
  private static void absent(String group, Set<String> groups, Map<String, ArmFailure> unread) {
    ArmFailure failure = unread.get(group);
    if (failure != null && failure.status() == HttpURLConnection.HTTP_NOT_FOUND) {
      unread.remove(group);
      groups.add(group);
    }
  }

  /**
   * All of one group, page after page.
   *
   * @param pages how many pages there may be
   * @param networked whether the settings name a virtual network
   */
  static Mono<List<LoadBalancerView>> of(
      LoadBalancersClient client, String group, int pages, boolean networked) {
    return of(client, group, pages, found -> view(found, networked));
  }

  /** The same, seen in another way. */
  static <T> Mono<List<T>> of(
      LoadBalancersClient client, String group, int pages, Function<LoadBalancerInner, T> view) {
    Flux<PagedResponse<LoadBalancerInner>> read = client.listByResourceGroupAsync(group).byPage();
    return read.index((number, page) -> bounded(number + 1, page, pages))
        // Before the next page is asked for, so that only one is held at a time.
        .map(page -> page.getValue().stream().map(view).toList())
        .concatMapIterable(views -> views)
        .collectList()
        .contextWrite(Context.of(ArmCalls.KIND, KIND))
        // The pipeline fails with nothing else, so that this is the library at reading a model.
        .onErrorMap(
            error -> !(error instanceof ArmException), error -> Json.malformed(error.toString()));
  }

  private static PagedResponse<LoadBalancerInner> bounded(
      long number, PagedResponse<LoadBalancerInner> page, int pages) {
    if (number == pages && page.getContinuationToken() != null) {
      throw Json.malformed("the listing has more than %d pages".formatted(pages));
    }
    return page;
  }

  /**
   * A policy: what is no page of load balancers fails. The typed client would take it for an empty
   * one, and the controller for a resource group without pools.
   */
  static Mono<HttpResponse> check(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    Mono<HttpResponse> response = next.process();
    return KIND.equals(ArmCalls.kind(context))
        ? response.doOnNext(found -> check(Answer.of(found)))
        : response;
  }

  private static void check(Answer answer) {
    Json page = Json.of(answer.expect(200, 200), NO_ADDRESSES);
    if (!page.node().path("value").isArray()) {
      throw Json.malformed("value is no array");
    }
    for (Json loadBalancer : page.objects("value")) {
      PoolJson.properties(loadBalancer)
          .objects("backendAddressPools")
          .forEach(PoolJson::properties);
    }
  }

  private static LoadBalancerView view(LoadBalancerInner found, boolean networked) {
    LoadBalancerId id =
        ArmIds.loadBalancer(found.id())
            .orElseThrow(
                () ->
                    Json.malformed(
                        "id is %s, must be that of a load balancer".formatted(found.id())));
    Uses uses = new Uses(rules(found), outbound(found));
    return new LoadBalancerView(
        id, all(found.backendAddressPools()).map(pool -> view(id, pool, uses, networked)).toList());
  }

  private static PoolView view(
      LoadBalancerId loadBalancer, BackendAddressPoolInner pool, Uses uses, boolean networked) {
    PoolId id = loadBalancer.pool(name(pool.name(), pool.id()));
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(uses.rules().getOrDefault(id, List.of()));
    all(pool.loadBalancingRules()).map(rule -> name(null, rule.id())).forEach(names::add);
    return new PoolView(
        id,
        Optional.ofNullable(pool.etag()).orElse(""),
        PoolJson.updating(Optional.ofNullable(pool.provisioningState()).map(Object::toString)),
        all(pool.loadBalancerBackendAddresses()).map(LoadBalancerListing::entry).toList(),
        names,
        networked || networked(pool),
        uses.outbound().contains(id)
            || pool.outboundRule() != null
            || all(pool.outboundRules()).findAny().isPresent());
  }

  private static boolean networked(BackendAddressPoolInner pool) {
    return pool.virtualNetwork() != null
        || all(pool.loadBalancerBackendAddresses())
            .anyMatch(entry -> entry.virtualNetwork() != null || entry.subnet() != null);
  }

  static PoolEntry entry(LoadBalancerBackendAddress entry) {
    return PoolJson.entry(
        Optional.ofNullable(entry.name()),
        Optional.ofNullable(entry.ipAddress()),
        Optional.ofNullable(entry.networkInterfaceIpConfiguration()).map(SubResource::id),
        Optional.ofNullable(entry.adminState()).map(Object::toString));
  }

  /** The rules' names by the pools they name, which may be pools of other load balancers. */
  private static Map<PoolId, List<String>> rules(LoadBalancerInner loadBalancer) {
    Map<PoolId, List<String>> rules = new HashMap<>();
    for (LoadBalancingRuleInner rule : all(loadBalancer.loadBalancingRules()).toList()) {
      Stream.concat(Stream.ofNullable(rule.backendAddressPool()), all(rule.backendAddressPools()))
          .map(SubResource::id)
          .flatMap(id -> ArmIds.pool(id).stream())
          .forEach(
              pool ->
                  rules
                      .computeIfAbsent(pool, any -> new ArrayList<>())
                      .add(name(rule.name(), rule.id())));
    }
    return rules;
  }

  /** The pools that outbound rules name. */
  private static Set<PoolId> outbound(LoadBalancerInner loadBalancer) {
    return all(loadBalancer.outboundRules())
        .flatMap(rule -> Stream.ofNullable(rule.backendAddressPool()))
        .flatMap(pool -> ArmIds.pool(pool.id()).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String name(@Nullable String name, @Nullable String id) {
    return Optional.ofNullable(name)
        .filter(text -> !text.isBlank())
        .or(() -> Optional.ofNullable(id).filter(text -> !text.isBlank()).map(ArmIds::name))
        .orElseThrow(() -> Json.malformed("a part of a load balancer has neither name nor id"));
  }

  static <T> Stream<T> all(@Nullable List<T> elements) {
    return elements == null ? Stream.empty() : elements.stream();
  }
}
