package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A look each second at a page that says that all is well. Times are seconds. */
class HeadlineAuditTest {
  private static final long SECOND = 1_000_000_000;

  private final HeadlineAudit audit = new HeadlineAudit();

  private static Judge.Verdict verdict(String... members) {
    AdminStates states = new AdminStates(List.of(), List.of("pool/node is not Down"));
    return new Judge.Verdict(List.of(members), states);
  }

  private static ObjectNode page(String tone) {
    ObjectNode page = new ObjectMapper().createObjectNode().put("leads", true);
    page.putObject("headline").put("tone", tone).put("text", "All pools are in sync");
    return page;
  }

  private void looks(String tone, int from, int to, int shown, String... members) {
    for (int now = from; now <= to; now++) {
      audit.look(page(tone), verdict(members), List.of(), shown * SECOND, now * SECOND);
    }
  }

  @Test
  void look_atWhatIsWrongForLongerThanItsBound_isFound() {
    looks("ok", 100, 113, 0, "pool holds a");
    assertThat(audit.found()).isEmpty();

    looks("ok", 114, 115, 0, "pool holds a");
    assertThat(audit.found()).containsExactly("All pools are in sync, but pool/node is not Down");

    looks("ok", 116, 116, 0, "pool holds a");
    assertThat(audit.found()).hasSize(2).contains("All pools are in sync, but pool holds a");
  }

  @Test
  void look_atAPageThatShowsACause_isNotFound() {
    looks("wait", 100, 200, 0, "pool holds a");

    assertThat(audit.found()).isEmpty();
  }

  @Test
  void look_atWhatOthersHaveWritten_countsFromTheNextListingOn() {
    looks("ok", 100, 133, 120);
    assertThat(audit.found()).isEmpty();

    looks("ok", 134, 134, 120);
    assertThat(audit.found()).hasSize(1);
  }

  @Test
  void look_atAServiceWithoutPool_isFoundUnlessACauseNamesIt() {
    Judge.Verdict right = new Judge.Verdict(List.of(), new AdminStates(List.of(), List.of()));
    List<String> poolless = List.of("shop/named", "shop/stray");
    ObjectNode page = page("ok");
    page.putArray("causes").addObject().put("evidence", "shop/named");
    for (int now = 100; now <= 116; now++) {
      audit.look(page, right, poolless, 0, now * SECOND);
    }

    assertThat(audit.found()).containsExactly("All pools are in sync, but shop/stray has no pool");
  }

  @Test
  void look_afterAGap_beginsAnew() {
    looks("ok", 100, 110, 0);
    looks("ok", 120, 133, 0);

    assertThat(audit.found()).isEmpty();
  }
}
