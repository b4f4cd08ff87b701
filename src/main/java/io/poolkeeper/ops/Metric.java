package io.poolkeeper.ops;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.poolkeeper.admission.Check;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.node.SpotLimits;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ListingCause;
import io.poolkeeper.shadow.Proof;
import io.poolkeeper.status.Cause;
import io.poolkeeper.turnstile.Bucket;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.LookResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All metrics of the process: nothing else names one. The text of each is its help in a scrape and
 * its row in docs/metrics.md. Invariant: the names keep Prometheus' rules, but for those that are
 * the cloud provider's.
 */
enum Metric {
  POOLS(
      "poolkeeper_pools",
      "pools by state; `opted-out` are those that are not managed",
      Label.of("state", PoolStatus.State.values())),
  POOLS_BEHIND(
      "poolkeeper_pools_behind",
      "pools that are not as they should be, by the [cause](topics/page.md#for-programs)",
      new Label("cause", Cause.keys(cause -> cause != Cause.NotManaged.class))),
  OLDEST_DIVERGENCE(
      "poolkeeper_oldest_divergence_seconds",
      "for how long the pool of that cause that has been so longest is not as it should be, 0 if"
          + " there is none; `without-pool`: for how long a Service has had none. What is so on purpose is left out: held by a check, paused, braked,"
          + " left alone, not managed, in shadow mode",
      new Label("cause", Cause.keys(cause -> !Cause.ON_PURPOSE.contains(cause)))),
  WITHOUT_POOL(
      "poolkeeper_services_without_pool",
      "Services that want a pool of their own and have none that is followed: theirs is on a load"
          + " balancer that is not managed, or they have had an address for 2 minutes, and several"
          + " load balancers are configured"),
  ADDRESSES_MISSING(
      "poolkeeper_addresses_missing",
      "addresses that should be in a pool and are not, whatever the reason"),
  ADDRESSES_SURPLUS(
      "poolkeeper_addresses_surplus",
      "addresses that are in a pool and should not be, whatever the reason"),
  PROPAGATION(
      "poolkeeper_propagation_seconds",
      Buckets.PROPAGATION,
      "from when a change was heard of until ARM has accepted the write with it (`accepted`), and"
          + " until that has ended (`effective`); each change of a Service counts once",
      new Label("to", "accepted", "effective")),
  POOL_UPDATES(
      "poolkeeper_pool_updates_total",
      "attempts that wrote a pool, or failed and were reported as failed; retries on the way are"
          + " not counted",
      Label.of("result", Metrics.Outcome.values())),
  POOL_UPDATE_DURATION(
      "poolkeeper_pool_update_duration_seconds",
      Buckets.COMMON,
      "of the same: from the granted turn to the end of ARM's operation"),
  ARM_REQUESTS(
      "poolkeeper_arm_request_duration_seconds",
      Buckets.COMMON,
      "every exchange with ARM, in-call retries included. `look`: of a pool that the cloud provider"
          + " has written; `nic`: of a network interface; `rights`: asked by"
          + " `/api/v1/doctor`. `status`: of HTTP, 0 = no answer",
      new Label("call", "get", "look", "put", "list", "poll", "nic", "rights"),
      new Label("status")),
  ARM_REMAINING(
      "poolkeeper_arm_remaining_calls",
      "what ARM says is left of its own quota for this identity"
          + " (`x-ms-ratelimit-remaining-subscription-*`); NaN if it has not for 5 minutes",
      new Label("kind", "read", "write")),
  RETRIES(
      "poolkeeper_retries_total",
      "attempts without a fresh change that were granted a turn: retries and repairs that were"
          + " made. One that writes or fails costs one of the retry budget. Reasons: see below",
      Label.of("reason", RetryReason.values())),
  RETRY_BUDGET_BALANCE(
      "poolkeeper_retry_budget_balance", "retries and repairs that could be made now"),
  RETRY_BUDGET_EXHAUSTED(
      "poolkeeper_retry_budget_exhausted_total",
      "how often a turn had to wait for the retry budget alone; the next one in the queue counts"
          + " again only after one was granted"),
  REPAIRS_POSTPONED(
      "poolkeeper_repairs_postponed_total",
      "repairs that wait because another client has undone the same too often: the same address was"
          + " in the pool again three times within an hour, or missing seven times"
          + " ([why](topics/multislb.md#recovery))"),
  REMOVALS_HELD(
      "poolkeeper_removals_held_total",
      "removals that waited for `brake.delay`, as they were so large"
          + " ([why](topics/multislb.md#recovery))"),
  SETTLING_LOOKS(
      "poolkeeper_settling_looks_total",
      "reads of the turnstile's own, of pools whose last write has an unknown end: what they"
          + " showed; `unknown` is a read that failed",
      Label.of("result", LookResult.values())),
  QUEUE_DEPTH(
      "poolkeeper_queue_depth", "pools that wait for a turn", Label.of("lane", Lane.values())),
  QUEUE_AGE(
      "poolkeeper_queue_age_seconds",
      Buckets.COMMON,
      "from the request of a turn to its grant, by the lane as granted",
      Label.of("lane", Lane.values())),
  RATE_LIMITER_WAIT(
      "poolkeeper_rate_limiter_wait_seconds",
      Buckets.COMMON,
      "the last part of it, in which the load balancer was free and only the subscription's limits"
          + " were missing: its gate, slow start, tokens, `max-in-flight`, retry budget",
      Label.of("lane", Lane.values())),
  INFLIGHT_REQUESTS(
      "poolkeeper_inflight_requests",
      "turns in flight, each of which makes one call to ARM at a time"),
  WORKER_UTILIZATION(
      "poolkeeper_worker_utilization_ratio", "the same as a part of `max-in-flight`, 0 to 1"),
  TOKENS(
      "poolkeeper_tokens",
      "calls that our own limit would allow now; below 0 if overdrawn",
      Label.of("bucket", Bucket.values())),
  THROTTLE_GATE(
      "poolkeeper_throttle_gate_seconds",
      "how long the subscription's gate stays closed for such calls; 0 = open",
      new Label("kind", "read", "write")),
  THROTTLED_LOAD_BALANCERS(
      "poolkeeper_throttled_load_balancers", "load balancers whose own gate is closed"),
  GATE_CLOSINGS(
      "poolkeeper_throttle_gate_closings_total",
      "how often a gate was closed that was open: the subscription's for reads or writes, or a load"
          + " balancer's",
      new Label("kind", "read", "write", "load-balancer")),
  EVENTS_DROPPED(
      "poolkeeper_events_dropped_total",
      "Kubernetes events that were not written: over 25 of one reason about one Service, of which"
          + " one per `interval` comes back, over 1,000 at once, or not taken by the API server"),
  LISTINGS(
      "poolkeeper_listings_total",
      "listings of all load balancers that were begun. `drain`: nodes are out of service, or were"
          + " until now; `peer`: the cloud provider says that it wrote pools, and they were not few"
          + " enough for a read each; `look`: once more after a write or a change; `asked`: by"
          + " something met, or repeated",
      Label.of("cause", ListingCause.values())),
  LAST_LISTING(
      "poolkeeper_last_listing_timestamp_seconds",
      "when all load balancers were listed last; NaN if they were not yet"),
  LISTING_FAILURES(
      "poolkeeper_listing_failures_total",
      "listings of the load balancers of one resource group that failed"),
  GROUPS_UNREAD(
      "poolkeeper_resource_groups_unread",
      "resource groups whose load balancers could not be listed when that was tried last: their"
          + " pools are left as they were known. Each is tried again within about a minute"),
  UNREADABLE(
      "poolkeeper_load_balancers_unreadable",
      "load balancers that the last listing has shown and that cannot be read, as a member is of"
          + " another JSON type than Azure's schema says: their pools are left as they are. `used`:"
          + " whether the cloud provider manages it, or a binding names a pool of it",
      new Label("used", "true", "false")),
  LAST_TOKEN(
      "poolkeeper_last_token_timestamp_seconds",
      "when the identity provider gave a token last; NaN if it did not yet, or none is needed"),
  TOKEN_FAILURES("poolkeeper_token_failures_total", "times that it gave none"),
  LOCK_BYPASSED(
      "poolkeeper_lock_bypassed_total",
      "turns that went without the shared Lease: of drains that could not have it for"
          + " `lock.drain-wait`, and of others after `lock.unreachable-after`"),
  LOCK_UNREACHABLE(
      "poolkeeper_lock_unreachable",
      "1 while the shared Lease can be neither read nor written: drains go without it, changes wait"
          + " ([the shared Lease](topics/shared-lock.md))"),
  LOCK_HELD_BY_OTHER(
      "poolkeeper_lock_held_by_other_seconds",
      "for how long another has held the shared Lease, 0 if no other does"),
  LEADER(
      "poolkeeper_leader",
      "1 while this replica leads, 0 while it is on standby ([replicas](topics/replicas.md))"),
  LEADER_SINCE(
      "poolkeeper_leader_since_timestamp_seconds",
      "when this replica began to lead; NaN while it is on standby"),
  PAUSED(
      "poolkeeper_paused",
      "1 while annotations of the leader's Lease [pause](topics/pause.md) this replica"),
  WATCH_CONNECTED(
      "poolkeeper_watch_connected",
      "1 while the watch of that kind is connected, 0 before it is for the first time, and briefly"
          + " now and then; NaN if the kind is not watched",
      Label.of("kind", CacheKind.values()).and("bindings").and("events")),
  WATCH_LOST(
      "poolkeeper_watch_lost",
      "1 while the watch of that kind is lost: it was not connected for 30 s, and objects may have"
          + " changed unseen",
      Label.of("kind", CacheKind.values())),
  NODES_OUT_OF_SERVICE(
      "poolkeeper_nodes_out_of_service",
      "nodes that new connections must not reach; one with several signals counts for each."
          + " `extra-taint`: of `admin-state.extra-taints`",
      Label.of("reason", Reason.values())),
  OLDEST_DRAIN(
      "poolkeeper_oldest_drain_seconds",
      "for how long the node has been leaving that waits longest for a pool to show it, 0 if there"
          + " is none; counted by the leader, and not in shadow mode"),
  ADMIN_STATE_PROPAGATION(
      "poolkeeper_admin_state_propagation_seconds",
      Buckets.COMMON,
      "from the time that a node's signal was seen to come or go, to the report of the last pool"
          + " that shows it; the patch that taints a node is not in it"),
  ADMIN_STATE_HELD(
      "poolkeeper_admin_state_held_total",
      "nodes out of service that a pool began to keep in service, because of"
          + " `admin-state.min-active`; once per node and pool"),
  PREEMPT_EVENTS_IGNORED(
      "poolkeeper_preempt_events_ignored_total",
      "fresh events `PreemptScheduled` about a node that taint nothing; each time that one is"
          + " repeated counts. `reason`: the setting that it does not meet,"
          + " `spot.event-messages`, `-namespaces` or `-sources`",
      Label.of("reason", SpotLimits.Refusal.values())),
  PREEMPTIONS_WAITING(
      "poolkeeper_preemptions_waiting",
      "nodes that are not tainted although events announce their eviction, as `spot.max-tainted` is"
          + " reached and no condition confirms it"),
  ENTRIES_DOWN("poolkeeper_entries_down", "entries of followed pools whose admin state is Down"),
  ENTRIES_UP(
      "poolkeeper_entries_up",
      "entries of followed pools whose admin state is Up, or one that Poolkeeper does not know:"
          + " Azure ignores their probe. Poolkeeper leaves them alone on a node in service, and"
          + " sets them Down on one that leaves"),
  ADMISSION_CHECKS(
      "poolkeeper_admission_checks",
      "bindings whose [check](topics/admission-checks.md) has answered so. `check` is a name of"
          + " `admission.checks`; all others together are `other`, where a binding counts once for"
          + " each of them",
      new Label("check"),
      Label.ofTexts("state", Check.State.values())),
  ADMISSION_HOLD(
      "poolkeeper_admission_hold_seconds",
      "age of the oldest open (not Ready) answer among the checks of bindings that hold a pool, 0"
          + " if none does. It counts from the check's `lastTransitionTime`, so a restart or"
          + " another leader changes nothing; a check that answers anew, or is asked again, begins"
          + " again"),
  ADMISSION_DELAY(
      "poolkeeper_admission_delay_seconds",
      "how long the longest delay that a check in `Retry` has asked for still lasts, cut to"
          + " `admission.max-delay`; 0 if there is none, or only of bindings that another check"
          + " rejects"),
  ADMISSION_RESETS(
      "poolkeeper_admission_resets_total",
      "how often the delays of a binding's checks were over and all its checks were asked again"),
  LEFTOVERS(
      "poolkeeper_leftovers",
      "entries that are not as they should be, as the pools were seen last. `address`: no Service"
          + " wants it; `down`: its node is in service; `not-down`: its node is out of service",
      Label.of("kind", Leftover.Kind.values())),
  LEFTOVER_AGE(
      "poolkeeper_leftover_age_seconds",
      "for how long the oldest of them has been known, 0 if there is none; more than some minutes"
          + " means that a cleanup does not get through: `/api/v1/leftovers` says why",
      Label.of("kind", Leftover.Kind.values())),
  LEFTOVERS_FOUND(
      "poolkeeper_leftovers_found_total",
      "entries that were found like that although nothing that the process has done or heard"
          + " explains it: what a process before left, or another client did",
      Label.of("kind", Leftover.Kind.values())),
  OLDEST_PENDING(
      "poolkeeper_oldest_pending_seconds",
      "age of the oldest change that is queued or in flight and not yet in ARM; 0 if there is none."
          + " A change that was given up no longer counts"),
  WOULD_WRITE(
      "poolkeeper_would_write_total",
      "what [shadow mode](topics/try-safely.md) has decided and not written: decisions, not"
          + " attempts; 0 in write mode",
      Label.ofTexts("kind", Proof.Kind.values())),
  SHADOW_DECISIONS(
      "poolkeeper_shadow_decisions_total",
      "decisions of shadow mode on members that have ended: somebody else wrote the same, it was"
          + " not wanted any more, or neither within 10 minutes",
      new Label("outcome", "met", "superseded", "not-met")),
  PEER_LOCK_WAIT(
      "cloudprovider_azure_lock_wait_duration_seconds",
      Buckets.PEER_LOCK,
      "from the request of a turn at a load balancer to its grant; of the shared Lease, from the"
          + " moment when nothing else was missing to a turn until it was ours. `admin_state`:"
          + " turns of the lanes `drain` and `drain-retry`",
      new Label("lock", "load_balancer_turn", "shared_lease"),
      new Label("caller", "updater", "admin_state")),
  PEER_OPERATIONS(
      "cloudprovider_azure_op_duration_seconds",
      Buckets.PEER_OPERATION,
      "attempts that wrote admin states of a pool, or failed with some to write: from the granted"
          + " turn to the end of ARM's operation. `resource_group` is in lower case",
      new Label("request", "loadbalancer_adminstate_update"),
      new Label("resource_group"),
      new Label("subscription_id"),
      new Label("source", "admin_state_controller")),
  PEER_FAILURES(
      "cloudprovider_azure_op_failure_count",
      Type.COUNTER,
      "those of them that failed, retries included",
      new Label("request", "loadbalancer_adminstate_update"),
      new Label("resource_group"),
      new Label("subscription_id"),
      new Label("source", "admin_state_controller")),
  BUILD_INFO("poolkeeper_build_info", "1", new Label("version"), new Label("commit")),
  PROCESS_CPU(
      "process_cpu_seconds_total",
      "processor time of the process, in user and system mode; 0 if the system does not say it"),
  PROCESS_START("process_start_time_seconds", "when the process began, of the time of day"),
  PROCESS_MEMORY(
      "process_resident_memory_bytes",
      "memory that the process has in use, all of it; NaN if the system does not say it");

  /** The types of Prometheus. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM;

    @Override
    public String toString() {
      return Labels.of(this);
    }
  }

  private final String text;
  private final Type type;
  private final String help;
  private final List<Duration> buckets;
  private final List<Label> labels;

  /** A counter, as its name says, or a gauge. */
  Metric(String text, String help, Label... labels) {
    this(text, text.endsWith("_total") ? Type.COUNTER : Type.GAUGE, help, labels);
  }

  Metric(String text, Type type, String help, Label... labels) {
    this(text, type, new long[0], help, labels);
  }

  Metric(String text, long[] buckets, String help, Label... labels) {
    this(text, Type.HISTOGRAM, buckets, help, labels);
  }

  Metric(String text, Type type, long[] buckets, String help, Label... labels) {
    this.text = text;
    this.type = type;
    this.help = help;
    this.buckets = Arrays.stream(buckets).mapToObj(Duration::ofMillis).toList();
    this.labels = List.of(labels);
  }

  Type type() {
    return type;
  }

  /** Upper bounds; empty unless it is a histogram. */
  Duration[] buckets() {
    return buckets.toArray(Duration[]::new);
  }

  /** The text in a scrape, without what only the page can show. */
  String help() {
    return help.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("`", "");
  }

  /** Its name, as a scrape has it. */
  @Override
  public String toString() {
    return text;
  }

  /** With these values of its labels, in their order. */
  Tags tags(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(this + " has the labels " + labels);
    }
    return Tags.of(
        IntStream.range(0, values.length)
            .mapToObj(at -> Tag.of(labels.get(at).name(), values[at]))
            .toList());
  }

  /** All values of its labels that there can be; none if they are not known from the start. */
  List<String[]> series() {
    return Label.series(labels);
  }

  /** The row of docs/metrics.md. */
  String row() {
    String all = labels.stream().map(Label::toString).collect(Collectors.joining("; "));
    return "| `%s` | %s | %s | %s |".formatted(text, type, all, help);
  }
}
