package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.lab.Words;
import io.poolkeeper.page.Browser;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/**
 * The status page in a real browser: the cause is the headline within five seconds, with what to
 * do. Screenshots are in {@code target/screens}, for people to look at.
 */
@Tag("browser")
class PageIT {
  private static final String WEB = "shop-web";
  private static final String API = "shop-api";
  private static final Duration SOON = Duration.ofSeconds(2);

  /** A Service counts after 30 s. */
  private static final Duration COUNTS = Duration.ofSeconds(45);

  private static final String ROW =
      "#list .row[data-id='" + SimulatedArm.GROUP + "/" + LB + "/" + WEB + "'] a";

  private static final ControllerFixture fixture = new ControllerFixture();
  private static Browser browser;

  @BeforeAll
  static void start() {
    browser = new Browser();
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    fixture.cluster.node("n3", "10.0.0.3");
    String web = fixture.cluster.service("web");
    String api = fixture.cluster.service("api");
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.cluster.endpoints("api", "n2");
    fixture.arm.put(
        LB,
        Seed.of(WEB, web).holding(Map.of("10.0.0.1", "n1", "10.0.0.2", "n2")),
        Seed.of(API, api).holding(Map.of("10.0.0.2", "n2")));
  }

  @AfterAll
  static void stop() throws Exception {
    browser.close();
    fixture.close();
  }

  @AfterEach
  void restore() {
    browser.size(1440, 900);
    fixture.arm.liftAll();
    fixture.arm.giveBackAll();
    fixture.stopController();
  }

  private static void open(String hocon) throws Exception {
    fixture.startController(hocon);
    browser.open(URI.create(fixture.url() + "/"));
  }

  private static void openInSync() throws Exception {
    fixture.cluster.endpoints("web", "n1", "n2");
    open("");
    browser.awaitHeadline("All 2 pools are in sync.");
  }

  @Test
  void calm_saysSo_andAsksNobodyElse() throws Exception {
    openInSync();

    browser.assertReadable("calm");

    assertThat(browser.title()).contains("All 2 pools are in sync");
    assertThat(browser.all("h1")).hasSize(1);
    browser.assertQuiet();
  }

  @Test
  void tokenThatIsNeeded_isAskedFor_andSentFromThenOn() throws Exception {
    open("poolkeeper.http.authorization = required");
    browser.await("#sign-in[open]", SOON);
    assertThat(browser.one("#sign-in-why").getText())
        .isEqualTo("The server says: a bearer token of this cluster is needed.");

    // The keys of the page do nothing meanwhile; the cluster of this test reviews no token.
    browser.one("#token").sendKeys("bt/", Keys.ENTER);

    ControllerFixture.eventually(
        () ->
            assertThat(browser.one("#banner").getText()).contains("The server answers HTTP 503."));
  }

  @Test
  void rightThatIsTakenAway_isTheHeadline_withTheCommandThatGrantsIt() throws Exception {
    openInSync();
    fixture.arm.deny("Microsoft.Network/loadBalancers/backendAddressPools/write");

    fixture.cluster.endpoints("web", "n1", "n2", "n3");

    browser.awaitHeadline("1 of 2 pools is behind: a right to write kubernetes is missing.");
    assertThat(browser.one("#verdict").getText()).startsWith("Needs you: grant the right");
    assertThat(browser.one("#until").isDisplayed()).as("waiting does not help").isFalse();
    assertThat(browser.one(".cause[data-key=refused] .when").getText()).startsWith("next try");
    assertThat(browser.one(".cause[data-key=refused] pre").getText())
        .startsWith("az role assignment create")
        .contains("/loadBalancers/kubernetes");
    browser.assertReadable("refused");
    browser.one(".cause[data-key=refused] [data-copy]").click();
    assertThat(browser.clipboard())
        .isEqualTo(browser.one(".cause[data-key=refused] pre").getText());
    browser.one(".cause[data-key=refused] .how-many a").click();
    browser.await(
        "body:not(:has(#list .row[data-id='" + SimulatedArm.GROUP + "/" + LB + "/" + API + "']))",
        SOON);
    assertThat(browser.all(ROW)).hasSize(1);
    fixture.arm.giveBackAll();
    fixture.cluster.endpoints("web", "n1", "n2");
    browser.awaitHeadline("All 2 pools are in sync.");
    browser.assertQuiet();
  }

  @Test
  void causesOfOneKind_areAllThere_alsoWhenTheyAreDrawnAgain() throws Exception {
    openInSync();

    Object drawnTwice =
        browser.runAsync(
            """
            const done = arguments[0];
            import('./parts.js').then(({ el, fill }) => {
              const list = el('ul', {});
              for (const time of ['first ', 'then ']) {
                fill(list, ...['lb-1 ', 'lb-2 ', 'lb-3 '].map(
                  name => el('li', { 'data-key': 'refused' }, time, name)));
              }
              done(list.textContent);
            });
            """);

    assertThat(drawnTwice).isEqualTo("then lb-1 then lb-2 then lb-3 ");
  }

  @Test
  void throttle_isTheHeadline_untilWhen() throws Exception {
    openInSync();
    fixture.arm.fault(
        "{\"method\":\"PUT\",\"path\":\"backendAddressPools\",\"status\":429,\"retryAfter\":60}");

    fixture.cluster.endpoints("web", "n1", "n2", "n3");

    browser.awaitHeadline("1 of 2 pools is behind: Azure throttles all writes.");
    assertThat(browser.one("#until").getText()).contains("until Azure takes writes again");
    browser.assertReadable("throttled");
    browser.size(390, 844);
    browser.screen("throttled-phone");
  }

  @Test
  void servicesWithoutARightNode_areTheHeadlineInRed_thoughThereIsNothingToDo() throws Exception {
    openInSync();
    fixture.arm.fault(
        "{\"method\":\"PUT\",\"path\":\"backendAddressPools\",\"status\":429,\"retryAfter\":90}");

    fixture.cluster.endpoints("web", "n3");
    fixture.cluster.endpoints("api", "n1");

    browser.await("#head.hurt", COUNTS);
    browser.awaitHeadline("2 Services have no right node: Azure throttles all writes.");
    assertThat(browser.one("#verdict").getText())
        .startsWith("Nothing to do now.")
        .contains("shop/api", "shop/web");
    assertThat(browser.all("#list .row.hurt")).hasSize(2);
    browser.assertReadable("without-backend");
    browser.size(390, 844);
    browser.screen("without-backend-phone");
    fixture.arm.liftAll();
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.cluster.endpoints("api", "n2");
  }

  @Test
  void leavingNode_isTheHeadline() throws Exception {
    openInSync();
    fixture.arm.fault("{\"method\":\"PUT\",\"path\":\"backendAddressPools\",\"delayMillis\":5000}");

    fixture.cluster.outOfService("n2");

    browser.awaitHeadline("1 node is leaving");
    browser.assertReadable("draining");
    assertThat(browser.one("#nodes").getText()).contains("n2");
    fixture.cluster.editNode("n2", node -> node.editSpec().withTaints().endSpec());
  }

  @Test
  void onePool_opensByClickAndKey_andGivesTheFocusBack() throws Exception {
    openInSync();
    fixture.arm.deny("Microsoft.Network/loadBalancers/backendAddressPools/write");
    fixture.cluster.endpoints("web", "n1", "n2", "n3");
    browser.awaitHeadline("is behind");

    browser.one(ROW).click();

    browser.await("body[data-view=one] #pool-name", SOON);
    browser.awaitText("#pool", "10.0.0.3", "AuthorizationFailed", "Desired against actual");
    browser.assertReadable("one-pool");
    browser.escape();
    browser.await("body[data-view=all]", SOON);
    assertThat(browser.focusedRow()).isEqualTo(SimulatedArm.GROUP + "/" + LB + "/" + WEB);
    browser.press(Keys.ENTER);
    browser.await("body[data-view=one]", SOON);
    browser.back();
    browser.await("body[data-view=all]", SOON);
    browser.assertQuiet();
  }

  @Test
  void linkWithoutAResourceGroup_goesToThePool() throws Exception {
    openInSync();

    browser.open(URI.create(fixture.url() + "/#pool=" + LB + "/" + WEB));

    browser.await(
        "#list .row.current[data-id='" + SimulatedArm.GROUP + "/" + LB + "/" + WEB + "']", SOON);
    browser.await("body[data-view=one] #pool-name", SOON);
    browser.assertQuiet();
  }

  @Test
  void filter_leavesThePoolsThatMatch() throws Exception {
    openInSync();

    browser.press("/");
    browser.press("api");

    browser.await("#list .row[data-id='" + SimulatedArm.GROUP + "/" + LB + "/" + API + "']", SOON);
    assertThat(browser.all(ROW)).isEmpty();
    browser.escape();
    browser.escape();
    browser.await(ROW, SOON);
  }

  @Test
  void pause_isInTheBanner_withItsReason() throws Exception {
    String script = "<img src=x onerror=document.title='forged'>";
    String reason = script + String.join(" ", Words.SHORT);
    lease("", Map.of("paused-until", in(Duration.ofMinutes(30)), "paused-reason", reason));
    open("poolkeeper.leader-election.namespace = default");
    browser.await("#banner[data-about=paused]", Duration.ofSeconds(5));

    fixture.cluster.endpoints("web", "n1");

    browser.awaitHeadline("1 of 2 pools is behind: Poolkeeper is paused.");
    assertThat(browser.one("#banner").getText()).contains(reason.replace("\u202e", " "));
    assertThat(browser.all("#banner img")).as("a reason is text, and no element").isEmpty();
    assertThat(browser.one(".cause[data-key=paused] pre").getText())
        .contains("annotate lease poolkeeper-leader");
    browser.assertReadable("paused");
    lease("", Map.of());
  }

  @Test
  void shadow_saysThatNothingIsWritten() throws Exception {
    fixture.cluster.endpoints("web", "n1");
    open("poolkeeper.mode = shadow");

    browser.awaitHeadline("1 of 2 pools differs from what Poolkeeper would write now.");
    browser.await("#banner[data-about=shadow]", SOON);
    browser.assertReadable("shadow");
  }

  @Test
  void standby_namesTheLeader() throws Exception {
    lease("$(abc)_uid-1", Map.of());
    open(
        """
        poolkeeper.leader-election { enabled = true, namespace = default }
        """);

    browser.awaitHeadline("This replica is on standby; $(abc) leads.");
    assertThat(browser.one(".solo pre").getText()).startsWith("./poolkeeper page -n default");
    browser.assertReadable("standby");
    lease("", Map.of());
  }

  @Test
  void processThatEnds_leavesNoPageThatLooksCurrent() throws Exception {
    openInSync();

    fixture.stopController();

    browser.await("#banner[data-about=old]", Duration.ofSeconds(3));
    assertThat(browser.one("#fresh").getText()).startsWith("no news for");
    assertThat(browser.one("#banner").getText())
        .contains("If its port-forward has ended, start it again: ./poolkeeper page");
    browser.screen("no-news");
  }

  private static String in(Duration time) {
    return Instant.now().plus(time).toString();
  }

  private static void lease(String holder, Map<String, String> annotations) {
    LeaseBuilder lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("poolkeeper-leader")
            .endMetadata()
            .withNewSpec()
            .withLeaseDurationSeconds(3600)
            .withRenewTime(Instant.now().atZone(ZoneOffset.UTC))
            .withHolderIdentity(holder)
            .endSpec();
    annotations.forEach(
        (name, value) ->
            lease.editMetadata().addToAnnotations("poolkeeper.io/" + name, value).endMetadata());
    fixture.cluster.put(lease.build());
  }
}
