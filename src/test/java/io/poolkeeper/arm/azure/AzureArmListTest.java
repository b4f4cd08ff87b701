package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.unlisted;
import static io.poolkeeper.arm.azure.Outcome.value;
import static io.poolkeeper.arm.azure.ScriptedArm.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listing load balancers, page by page, with the rules that send to each pool. */
class AzureArmListTest {
  private static final String GROUP =
      "/Subscriptions/SUB-1/resourcegroups/Rg-1/providers/microsoft.network/loadBalancers/";

  private final ScriptedArm server = new ScriptedArm();
  private final List<String> observed = new CopyOnWriteArrayList<>();
  private final AzureArm arm =
      server.arm((call, status, took) -> observed.add(call + " " + status));

  @AfterEach
  void stop() {
    arm.close();
    server.close();
  }

  private static String page(String next, String... names) {
    List<String> all =
        List.of(names).stream()
            .map(name -> "{\"id\":\"%s%s\",\"properties\":{}}".formatted(GROUP, name))
            .toList();
    return "{\"value\":[%s]%s}"
        .formatted(String.join(",", all), next.isEmpty() ? "" : ",\"nextLink\":\"" + next + "\"");
  }

  @Test
  void list_severalPages_givesAllLoadBalancersInOrder() {
    server.answers(200, page("{base}/next?$skipToken=2", "a", "b"));
    server.answers(200, page("", "C"));

    List<LoadBalancerView> found = value(arm.list(Set.of(), Instant.MAX)).loadBalancers();

    assertThat(found).extracting(view -> view.id().name()).containsExactly("a", "b", "C");
    assertThat(server.requests().getFirst().uri())
        .isEqualTo(
            "/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Network/loadBalancers"
                + "?api-version=2025-05-01");
    assertThat(server.requests().getLast().uri()).isEqualTo("/next?$skipToken=2");
    assertThat(server.requests())
        .allSatisfy(
            request ->
                assertThat(request.headers().getFirst("User-Agent")).startsWith("poolkeeper/"));
    assertThat(observed).containsExactly("list 200", "list 200");
  }

  @Test
  void list_pageThatCannotBeReduced_endsBeforeTheNextIsAskedFor() {
    String strange = "{\"id\":\"/subscriptions/s\",\"properties\":{}}";
    String next = ",\"nextLink\":\"" + server.base() + "/next\"";
    server.answers(200, "{\"value\":[" + strange + "]" + next + "}");
    server.answers(200, page(""));

    assertThat(unlisted(arm.list(Set.of(), Instant.MAX)).kind())
        .isEqualTo(ArmFailure.Kind.MALFORMED);

    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void list_morePagesThanAllowed_isMalformed() {
    for (int i = 0; i <= QUICK.pages(); i++) {
      server.answers(200, page("{base}/again"));
    }

    assertThat(unlisted(arm.list(Set.of(), Instant.MAX)).message()).contains("more than 3 pages");
    assertThat(server.requests()).hasSize(QUICK.pages());
  }

  @Test
  void list_nextPageAtAnotherHost_isNotRead() {
    server.answers(200, page("http://example.invalid/next"));

    assertThat(unlisted(arm.list(Set.of(), Instant.MAX)).message())
        .contains("not followed to another host");
  }

  @Test
  void list_nextLinkIsBlank_isTheLastPage() {
    server.answers(200, "{\"value\":[],\"nextLink\":\"\"}");

    assertThat(value(arm.list(Set.of(), Instant.MAX)).loadBalancers()).isEmpty();
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void list_otherGroups_haveALoadBalancerListOrAFailureEach() {
    server.answersAt("/rg-1/", page("", "a"));
    server.answersAt(
        "/blind/", 403, "{\"error\":{\"code\":\"AuthorizationFailed\",\"message\":\"m\"}}");
    server.answersAt(
        "/gone/", 404, "{\"error\":{\"code\":\"ResourceGroupNotFound\",\"message\":\"m\"}}");
    server.answersAt(
        "/moved/", 404, "{\"error\":{\"code\":\"SubscriptionNotFound\",\"message\":\"m\"}}");
    server.answersAt("/odd/", 404, "");
    server.answersAt("/other/", page("", "b"));

    Listing listing =
        value(arm.list(Set.of("blind", "gone", "moved", "odd", "other"), Instant.MAX));

    assertThat(listing.loadBalancers()).extracting(of -> of.id().name()).containsExactly("a");
    assertThat(listing.elsewhere()).extracting(of -> of.id().name()).containsExactly("b");
    assertThat(listing.groups()).contains("gone", "other").hasSize(3);
    assertThat(listing.unread().keySet()).containsExactlyInAnyOrder("blind", "moved", "odd");
  }

  @Test
  void list_configuredGroupIsRefused_othersAreRead() {
    server.answersAt(
        "/rg-1/", 403, "{\"error\":{\"code\":\"AuthorizationFailed\",\"message\":\"m\"}}");
    server.answersAt("/other/", page("", "b"));

    Listing listing = value(arm.list(Set.of("other"), Instant.MAX));

    assertThat(listing.failure())
        .hasValueSatisfying(why -> assertThat(why.status()).isEqualTo(403));
    assertThat(listing.loadBalancers()).isEmpty();
    assertThat(listing.elsewhere()).extracting(of -> of.id().name()).containsExactly("b");
    assertThat(listing.groups()).containsExactly("other");
    assertThat(listing.unread()).hasSize(1);
  }

  @Test
  void list_noGroupCanBeListed_eachHasItsFailure() {
    server.answers(401, "{\"error\":{\"code\":\"InvalidToken\",\"message\":\"m\"}}");
    server.answers(403, "{\"error\":{\"code\":\"AuthorizationFailed\",\"message\":\"m\"}}");

    Listing listing = value(arm.list(Set.of("other"), Instant.MAX));

    assertThat(listing.groups()).isEmpty();
    assertThat(listing.unread().values()).extracting(ArmFailure::status).contains(401, 403);
  }

  @Test
  void list_missingResourceGroup_isNotFound() {
    server.answers(404, "{\"error\":{\"code\":\"ResourceGroupNotFound\",\"message\":\"m\"}}");

    ArmFailure failure = unlisted(arm.list(Set.of(), Instant.MAX));

    assertThat(failure.status()).isEqualTo(404);
    assertThat(failure.code()).isEqualTo("ResourceGroupNotFound");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"value\":{}}",
        "{\"value\":[7]}",
        "{\"value\":[{\"properties\":{}}]}",
        "{\"value\":[{\"id\":\"/x\",\"properties\":{}}]}"
      })
  void list_wrongShape_isMalformed(String body) {
    server.answers(200, body);

    assertThat(unlisted(arm.list(Set.of(), Instant.MAX)).kind()).isEqualTo(Kind.MALFORMED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "id":"%sa" | value[1] properties is missing
          "id":"%sa","properties":{"backendAddressPools":7} | value[1].properties.backendAddressPools is of type NUMBER, must be an array
          "id":"%sa","properties":{"backendAddressPools":[{"name":"p"}]} | value[1].properties.backendAddressPools[0] properties is missing
          "id":"%sa","properties":{"backendAddressPools":[{"name":"p","properties":{"loadBalancerBackendAddresses":{}}}]} | value[1].properties.backendAddressPools[0].properties.loadBalancerBackendAddresses is of type OBJECT, must be an array
          "id":7,"name":"a","properties":{} | value[1].id is of type NUMBER, must be a string
          """)
  void reported12_loadBalancerHasAMemberOfAnotherType_isNamedAndTheOthersAreRead(
      String bad, String why) {
    String good = "{\"id\":\"%sb\",\"properties\":{\"backendAddressPools\":[]}}".formatted(GROUP);
    server.answers(200, "{\"value\":[%s,{%s},%s]}".formatted(good, bad.replace("%s", GROUP), good));

    Listing listing = value(arm.list(Set.of(), Instant.MAX));

    LoadBalancerId id = new LoadBalancerId("sub-1", "rg-1", "a");
    assertThat(listing.unreadable().keySet()).containsExactly(id);
    assertThat(listing.unread(id.pool("p")))
        .hasValueSatisfying(of -> assertThat(of.message()).isEqualTo("answer: " + why));
    assertThat(listing.covers(id.pool("p"))).isFalse();
    assertThat(listing.covers(new LoadBalancerId("sub-1", "rg-1", "b").pool("p"))).isTrue();
    assertThat(listing.loadBalancers()).hasSize(3);
    assertThat(listing.failure()).isEmpty();
  }

  @Test
  void list_rulesAndPoolsInMixedCase_areTiedToTheirPoolsKeepingArmsCase() {
    // Given a rule by each of the three ways, and one that names a pool of another load balancer
    String lower = (GROUP + "lb").toLowerCase(Locale.ROOT);
    server.answers(
        200,
        """
        {"value":[{"id":"%1$sLB","properties":{
          "backendAddressPools":[
            {"name":"Web","etag":"W/\\"1\\"","properties":{"provisioningState":"updating",
              "loadBalancerBackendAddresses":[
                {"name":"Node-B","properties":{"ipAddress":"10.0.0.2"}},
                {"name":"nic","properties":{"networkInterfaceIPConfiguration":{"id":"x"}}},
                {"name":"Node-A","properties":{"ipAddress":"FD00:0:0::1"}}],
              "loadBalancingRules":[{"id":"%1$sLB/loadBalancingRules/Rule-1"}]}},
            {"id":"%1$sLB/backendAddressPools/Api","properties":{}}],
          "loadBalancingRules":[
            {"name":"rule-1","properties":{"backendAddressPool":{"id":"%2$s/BACKENDADDRESSPOOLS/web"}}},
            {"name":"Rule-2","properties":{"backendAddressPools":[{"id":"%2$s/backendaddresspools/web"},
                                                                 {"id":"%2$s/backendaddresspools/api"}]}},
            {"name":"foreign","properties":{"backendAddressPool":{"id":"%2$s-2/backendAddressPools/web"}}}
          ]}}]}\
        """
            .formatted(GROUP, lower));

    LoadBalancerView view = value(arm.list(Set.of(), Instant.MAX)).loadBalancers().getFirst();

    assertThat(view.id().resourceGroup()).isEqualTo("Rg-1");
    PoolView web = view.pools().getFirst();
    assertThat(web.id().path()).endsWith("/loadBalancers/LB/backendAddressPools/Web");
    assertThat(web.etag()).isEqualTo("W/\"1\"");
    assertThat(web.updating()).isTrue();
    assertThat(web.entries()).extracting("name").containsExactly("Node-B", "nic", "Node-A");
    assertThat(web.ipBased()).isFalse();
    assertThat(web.rules()).containsExactlyInAnyOrder("rule-1", "Rule-2");
    PoolView api = view.pools().getLast();
    assertThat(api.id().name()).isEqualTo("Api");
    assertThat(api.rules()).containsExactly("Rule-2");
    assertThat(api.entries()).isEmpty();
  }

  @Test
  void list_networkOfAPoolOrOfAnEntry_isNoticed() {
    server.answers(
        200,
        """
        {"value":[{"id":"%slb","properties":{"backendAddressPools":[
          {"name":"none","properties":{"loadBalancerBackendAddresses":[
            {"name":"a","properties":{"ipAddress":"10.0.0.1"}}]}},
          {"name":"pool","properties":{"virtualNetwork":{"id":"/vnets/v"}}},
          {"name":"entry","properties":{"loadBalancerBackendAddresses":[
            {"name":"a","properties":{"ipAddress":"10.0.0.1","virtualNetwork":{"id":"/vnets/v"}}}]}},
          {"name":"subnet","properties":{"loadBalancerBackendAddresses":[
            {"name":"a","properties":{"ipAddress":"10.0.0.1","subnet":{"id":"/subnets/s"}}}]}}
          ]}}]}\
        """
            .formatted(GROUP));

    assertThat(value(arm.list(Set.of(), Instant.MAX)).loadBalancers().getFirst().pools())
        .extracting(PoolView::networked)
        .containsExactly(false, true, true, true);
  }

  @Test
  void list_outboundRules_areTiedToTheirPools() {
    server.answers(
        200,
        """
        {"value":[{"id":"%1$slb","properties":{
          "backendAddressPools":[
            {"name":"named","properties":{}},
            {"name":"names","properties":{"outboundRules":[{"id":"%1$slb/outboundRules/o"}]}},
            {"name":"names-one","properties":{"outboundRule":{"id":"%1$slb/outboundRules/o"}}},
            {"name":"web","properties":{"outboundRules":[]}}],
          "outboundRules":[{"name":"o","properties":
            {"backendAddressPool":{"id":"%1$sLB/backendaddresspools/NAMED"}}}]}}]}\
        """
            .formatted(GROUP));

    assertThat(value(arm.list(Set.of(), Instant.MAX)).loadBalancers().getFirst().pools())
        .extracting(PoolView::outbound)
        .containsExactly(true, true, true, false);
  }

  @Test
  void list_entries_haveTheirStatesAndIpConfigurations() {
    String nic = GROUP.replace("loadBalancers/", "networkInterfaces/n/ipConfigurations/c");
    server.answers(
        200,
        """
        {"value":[{"id":"%slb","properties":{"backendAddressPools":[
          {"name":"web","properties":{"loadBalancerBackendAddresses":[
            {"name":"a","properties":{"ipAddress":"10.0.0.1","adminState":"Down"}},
            {"name":"b","properties":{"ipAddress":"10.0.0.2"}},
            {"name":"c","properties":{"adminState":"Up",
              "networkInterfaceIPConfiguration":{"id":"%s"}}}]}}]}}]}\
        """
            .formatted(GROUP, nic));

    assertThat(
            value(arm.list(Set.of(), Instant.MAX))
                .loadBalancers()
                .getFirst()
                .pools()
                .getFirst()
                .entries())
        .containsExactly(
            entry("a", "10.0.0.1", AdminState.DOWN),
            entry("b", "10.0.0.2", AdminState.NONE),
            new PoolEntry("c", Optional.empty(), Optional.of(nic), AdminState.UP));
  }

  private static PoolEntry entry(String name, String address, AdminState state) {
    return new PoolEntry(name, Optional.of(Address.of(address)), Optional.empty(), state);
  }

  @Test
  void page_manyObjects_isSeenOneAfterTheOther() {
    // Given an end that is missing, which a tree of the whole page would meet first
    String cut = "{\"value\":[{\"n\":\"a\"},{\"n\":\"b\"},{\"n\":";
    List<String> seen = new ArrayList<>();

    ArmFailure failure =
        Outcome.failure(
            CompletableFuture.supplyAsync(
                () -> Json.page(answer(cut), found -> seen.add(found.requiredText("n")))));

    assertThat(failure.kind()).isEqualTo(Kind.MALFORMED);
    assertThat(seen).containsExactly("a", "b");
  }

  @Test
  void page_withTextAfterItsJson_isMalformed() {
    ArmFailure failure =
        Outcome.failure(
            CompletableFuture.supplyAsync(
                () -> Json.page(answer("{\"value\":[]} {\"value\":[]}"), found -> found)));

    assertThat(failure.kind()).isEqualTo(Kind.MALFORMED);
    assertThat(failure.message()).contains("the body has text after its JSON");
  }

  private static Answer answer(String body) {
    return new Answer(200, new HttpHeaders(), BinaryData.fromString(body));
  }
}
