package io.poolkeeper.verify;

import static io.poolkeeper.verify.Place.FREE;
import static io.poolkeeper.verify.Place.USED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.verify.Assumption.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a pool keeps, shows and refuses. */
final class EntryChecks {
  private static final String NONE = "nothing to set: Poolkeeper writes none of it";
  private static final int MANY = 1_000;

  static final List<Assumption> QUICK =
      List.of(
          new Assumption(
              "down-kept",
              "An entry that was written Down is shown Down.",
              "set admin-state.enabled = false: leaving nodes could not be taken out",
              EntryChecks::downKept),
          new Assumption(
              "down-ends",
              "An entry that is written without its admin state is Down no more.",
              "send us the report: nodes that return would stay Down",
              EntryChecks::downEnds),
          new Assumption(
              "none-shown",
              "An entry shows None if that was written, and nothing if none was.",
              "nothing to set: Poolkeeper reads both alike",
              EntryChecks::noneShown),
          new Assumption(
              "read-only",
              "What a GET shows of a pool may be written back as it is, read-only members too.",
              "send us the report: Poolkeeper's writes may be refused",
              EntryChecks::readOnly),
          new Assumption(
              "unknown-member",
              "A member that the API version does not know survives a write.",
              "nothing to set: Poolkeeper sends back what a GET showed, and no more",
              EntryChecks::unknownMember),
          new Assumption(
              "duplicate-address",
              "Two entries of a pool with one address are refused.",
              NONE,
              EntryChecks::duplicateAddress),
          new Assumption(
              "duplicate-name",
              "Two entries of a pool with one name are refused.",
              NONE,
              EntryChecks::duplicateName),
          new Assumption(
              "outside-address",
              "An address outside of its virtual network is accepted.",
              "a binding with such an address shows Azure's refusal",
              EntryChecks::outsideAddress),
          new Assumption(
              "no-entries",
              "A pool may be written without entries.",
              "the last node of a Service cannot leave its pool: send us the report",
              EntryChecks::noEntries),
          new Assumption(
              "used-pool",
              "A pool that a rule uses cannot be deleted.",
              "nothing to set: Poolkeeper deletes no pool",
              EntryChecks::usedPool));

  static final Assumption MANY_ENTRIES =
      new Assumption(
          "many-entries",
          "A pool may have 1,000 entries.",
          "keep pools smaller than what was refused",
          EntryChecks::manyEntries);

  private EntryChecks() {}

  /** Three entries: None, without a state, Down. */
  private static ObjectNode states(Bench bench) {
    ObjectNode pool = Bench.pool();
    Bench.entries(pool)
        .add(bench.entry("none", Place.address(0), "None"))
        .add(bench.entry("absent", Place.address(1)))
        .add(bench.entry("down", Place.address(2), "Down"));
    return pool;
  }

  private static Finding downKept(Bench bench) throws InterruptedException {
    String raw = bench.written(FREE, states(bench)).adminState("down");
    String typed =
        bench.witness().states(FREE).getOrDefault("down", Optional.empty()).orElse("absent");
    return Finding.of(
        raw.equals("Down") && typed.equals("Down"),
        "%s; by another client: %s".formatted(raw, typed));
  }

  private static Finding downEnds(Bench bench) throws InterruptedException {
    String before = bench.written(FREE, states(bench)).adminState("down");
    if (!before.equals("Down")) {
      return Finding.unknown("it was not Down before: " + before);
    }
    ObjectNode pool = Bench.pool();
    Bench.entries(pool).add(bench.entry("down", Place.address(2)));
    String after = bench.written(FREE, pool).adminState("down");
    return Finding.of(!after.equals("Down"), after);
  }

  private static Finding noneShown(Bench bench) throws InterruptedException {
    ArmExchange pool = bench.written(FREE, states(bench));
    String none = pool.adminState("none");
    String absent = pool.adminState("absent");
    return Finding.of(
        none.equals("None") && absent.equals("absent"),
        "written as None: %s; not written: %s".formatted(none, absent));
  }

  private static Finding readOnly(Bench bench) throws InterruptedException {
    bench.written(USED, bench.pool(2));
    return tried(bench, USED, (ObjectNode) bench.needed(bench.getPool(USED)).answer(), true);
  }

  /** Writes a pool that should be accepted, or should be refused. */
  private static Finding tried(Bench bench, String name, ObjectNode pool, boolean accepted)
      throws InterruptedException {
    ArmExchange answer = bench.put(name, pool);
    if (!answer.accepted()) {
      return answer.refused()
          ? Finding.of(!accepted, answer.outcome())
          : Finding.unknown(answer.outcome());
    }
    var end = bench.follow(answer);
    if (end.status().equals("Canceled")) {
      return Finding.unknown(answer.outcome() + ", " + end.outcome());
    }
    return Finding.of(end.succeeded() == accepted, answer.outcome() + ", " + end.outcome());
  }

  private static Finding unknownMember(Bench bench) throws InterruptedException {
    ObjectNode pool = bench.pool(1);
    ((ObjectNode) pool.path("properties")).put("poolkeeperVerify", "kept");
    Finding taken = tried(bench, FREE, pool, true);
    if (taken.verdict() != AssumptionVerdict.HOLDS) {
      return taken;
    }
    String kept =
        bench.needed(bench.getPool(FREE)).answer().at("/properties/poolkeeperVerify").asText();
    return Finding.of(kept.equals("kept"), kept.isEmpty() ? "accepted, not kept" : "kept");
  }

  private static Finding duplicateAddress(Bench bench) throws InterruptedException {
    ObjectNode pool = bench.pool(1);
    Bench.entries(pool).add(bench.entry("again", Place.address(0)));
    return tried(bench, FREE, pool, false);
  }

  private static Finding duplicateName(Bench bench) throws InterruptedException {
    ObjectNode pool = bench.pool(1);
    Bench.entries(pool).add(bench.entry("n0", Place.address(1)));
    return tried(bench, FREE, pool, false);
  }

  private static Finding outsideAddress(Bench bench) throws InterruptedException {
    ObjectNode pool = Bench.pool();
    Bench.entries(pool).add(bench.entry("outside", "10.99.0.4"));
    return tried(bench, FREE, pool, true);
  }

  private static Finding noEntries(Bench bench) throws InterruptedException {
    bench.written(FREE, bench.pool(1));
    Finding taken = tried(bench, FREE, Bench.pool(), true);
    int left = bench.needed(bench.getPool(FREE)).entries().size();
    return taken.verdict() == AssumptionVerdict.HOLDS
        ? Finding.of(left == 0, "entries: " + left)
        : taken;
  }

  private static Finding manyEntries(Bench bench) throws InterruptedException {
    var began = bench.now();
    Finding taken = tried(bench, FREE, bench.pool(MANY), true);
    if (taken.verdict() != AssumptionVerdict.HOLDS) {
      return taken;
    }
    int size = bench.needed(bench.getPool(FREE)).entries().size();
    long millis = Duration.between(began, bench.now()).toMillis();
    return Finding.of(size == MANY, "entries: %d, written in %d ms".formatted(size, millis));
  }

  private static Finding usedPool(Bench bench) throws InterruptedException {
    ArmExchange answer = bench.delete(USED);
    if (answer.accepted()) {
      return Finding.of(false, answer.outcome() + ", " + bench.follow(answer).outcome());
    }
    return answer.refused() || answer.code().contains("InUse")
        ? Finding.of(true, answer.outcome())
        : Finding.unknown(answer.outcome());
  }
}
