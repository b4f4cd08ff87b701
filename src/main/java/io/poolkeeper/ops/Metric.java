package io.poolkeeper.ops;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.poolkeeper.admission.Check;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.node.SpotLimits;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.Bucket;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.VerificationResult;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ListingCause;
import io.poolkeeper.shadow.ShadowComparison;
import io.poolkeeper.status.Cause;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All metrics of the process: nothing else names one. {@code metrics.properties} has what each
 * says. Invariant: the names keep Prometheus' rules, but for those that are the cloud provider's.
 */
enum Metric {
  POOLS("poolkeeper_pools", Label.of("state", PoolStatus.State.values())),
  WITHOUT_BACKEND("poolkeeper_services_without_backend"),
  POOLS_BEHIND(
      "poolkeeper_pools_behind",
      new Label("cause", Cause.keys(cause -> cause != Cause.NotManaged.class))),
  OLDEST_DIVERGENCE(
      "poolkeeper_oldest_divergence_seconds",
      new Label("cause", Cause.keys(cause -> !Cause.ON_PURPOSE.contains(cause)))),
  WITHOUT_POOL("poolkeeper_services_without_pool"),
  ADDRESSES_MISSING("poolkeeper_addresses_missing"),
  ADDRESSES_SURPLUS("poolkeeper_addresses_surplus"),
  PROPAGATION(
      "poolkeeper_propagation_seconds",
      Buckets.PROPAGATION,
      new Label("to", "accepted", "effective")),
  POOL_UPDATES("poolkeeper_pool_updates_total", Label.of("result", Metrics.Outcome.values())),
  POOL_UPDATE_DURATION("poolkeeper_pool_update_duration_seconds", Buckets.COMMON),
  ARM_REQUESTS(
      "poolkeeper_arm_request_duration_seconds",
      Buckets.COMMON,
      new Label("call", "get", "look", "put", "list", "poll", "nic", "rights"),
      new Label("status")),
  ARM_REMAINING("poolkeeper_arm_remaining_calls", new Label("kind", "read", "write")),
  RETRIES("poolkeeper_retries_total", Label.of("reason", RetryReason.values())),
  RETRY_BUDGET_BALANCE("poolkeeper_retry_budget_balance"),
  RETRY_BUDGET_EXHAUSTED("poolkeeper_retry_budget_exhausted_total"),
  REPAIRS_POSTPONED("poolkeeper_repairs_postponed_total"),
  REMOVALS_HELD("poolkeeper_removals_held_total"),
  SETTLING_LOOKS(
      "poolkeeper_settling_looks_total", Label.of("result", VerificationResult.values())),
  QUEUE_DEPTH("poolkeeper_queue_depth", Label.of("lane", PriorityLevel.values())),
  QUEUE_AGE(
      "poolkeeper_queue_age_seconds", Buckets.COMMON, Label.of("lane", PriorityLevel.values())),
  RATE_LIMITER_WAIT(
      "poolkeeper_rate_limiter_wait_seconds",
      Buckets.COMMON,
      Label.of("lane", PriorityLevel.values())),
  INFLIGHT_REQUESTS("poolkeeper_inflight_requests"),
  WORKER_UTILIZATION("poolkeeper_worker_utilization_ratio"),
  TOKENS("poolkeeper_tokens", Label.of("bucket", Bucket.values())),
  THROTTLE_GATE("poolkeeper_throttle_gate_seconds", new Label("kind", "read", "write")),
  THROTTLED_LOAD_BALANCERS("poolkeeper_throttled_load_balancers"),
  GATE_CLOSINGS(
      "poolkeeper_throttle_gate_closings_total",
      new Label("kind", "read", "write", "load-balancer")),
  EVENTS_DROPPED("poolkeeper_events_dropped_total"),
  LISTINGS("poolkeeper_listings_total", Label.of("cause", ListingCause.values())),
  LAST_LISTING("poolkeeper_last_listing_timestamp_seconds"),
  LISTING_FAILURES("poolkeeper_listing_failures_total"),
  GROUPS_UNREAD("poolkeeper_resource_groups_unread"),
  UNREADABLE("poolkeeper_load_balancers_unreadable", new Label("used", "true", "false")),
  LAST_TOKEN("poolkeeper_last_token_timestamp_seconds"),
  TOKEN_FAILURES("poolkeeper_token_failures_total"),
  LOCK_BYPASSED("poolkeeper_lock_bypassed_total"),
  LOCK_UNREACHABLE("poolkeeper_lock_unreachable"),
  LOCK_HELD_BY_OTHER("poolkeeper_lock_held_by_other_seconds"),
  LEADER("poolkeeper_leader"),
  LEADER_SINCE("poolkeeper_leader_since_timestamp_seconds"),
  PAUSED("poolkeeper_paused"),
  WATCH_CONNECTED(
      "poolkeeper_watch_connected",
      Label.of("kind", CacheKind.values()).and("bindings").and("events")),
  WATCH_LOST("poolkeeper_watch_lost", Label.of("kind", CacheKind.values())),
  NODES_OUT_OF_SERVICE("poolkeeper_nodes_out_of_service", Label.of("reason", Reason.values())),
  OLDEST_DRAIN("poolkeeper_oldest_drain_seconds"),
  ADMIN_STATE_PROPAGATION("poolkeeper_admin_state_propagation_seconds", Buckets.COMMON),
  ADMIN_STATE_HELD("poolkeeper_admin_state_held_total"),
  PREEMPT_EVENTS_IGNORED(
      "poolkeeper_preempt_events_ignored_total", Label.of("reason", SpotLimits.Refusal.values())),
  PREEMPTIONS_PAUSED("poolkeeper_preemptions_paused"),
  PREEMPTIONS_WAITING("poolkeeper_preemptions_waiting"),
  ENTRIES_DOWN("poolkeeper_entries_down"),
  ENTRIES_UP("poolkeeper_entries_up"),
  ADMISSION_CHECKS(
      "poolkeeper_admission_checks",
      new Label("check"),
      Label.ofTexts("state", Check.State.values())),
  ADMISSION_HOLD("poolkeeper_admission_hold_seconds"),
  ADMISSION_DELAY("poolkeeper_admission_delay_seconds"),
  ADMISSION_RESETS("poolkeeper_admission_resets_total"),
  LEFTOVERS("poolkeeper_leftovers", Label.of("kind", Leftover.Kind.values())),
  LEFTOVER_AGE("poolkeeper_leftover_age_seconds", Label.of("kind", Leftover.Kind.values())),
  LEFTOVERS_FOUND("poolkeeper_leftovers_found_total", Label.of("kind", Leftover.Kind.values())),
  OLDEST_PENDING("poolkeeper_oldest_pending_seconds"),
  WOULD_WRITE(
      "poolkeeper_would_write_total", Label.ofTexts("kind", ShadowComparison.Kind.values())),
  SHADOW_DECISIONS(
      "poolkeeper_shadow_decisions_total", new Label("outcome", "met", "superseded", "not-met")),
  CLOUD_PROVIDER_LOCK_WAIT(
      "cloudprovider_azure_lock_wait_duration_seconds",
      Buckets.CLOUD_PROVIDER_LOCK,
      new Label("lock", "load_balancer_turn", "shared_lease"),
      new Label("caller", "updater", "admin_state")),
  CLOUD_PROVIDER_OPERATIONS(
      "cloudprovider_azure_op_duration_seconds", Buckets.CLOUD_PROVIDER_OPERATION, cloudProvider()),
  CLOUD_PROVIDER_FAILURES("cloudprovider_azure_op_failure_count", Type.COUNTER, cloudProvider()),
  CLOUD_PROVIDER_THROTTLED(
      "cloudprovider_azure_api_request_throttled_count", Type.COUNTER, cloudProvider()),
  CLOUD_PROVIDER_RATE_LIMITED(
      "cloudprovider_azure_api_request_ratelimited_count", Type.COUNTER, cloudProvider()),
  BUILD_INFO("poolkeeper_build_info", new Label("version"), new Label("commit")),
  PROCESS_CPU("process_cpu_seconds_total"),
  PROCESS_START("process_start_time_seconds"),
  PROCESS_MEMORY("process_resident_memory_bytes");

  /** The types of Prometheus. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM;

    @Override
    public String toString() {
      return Label.textOf(this);
    }
  }

  private final String text;
  private final Type type;
  private final String help;
  private final List<Duration> buckets;
  private final List<Label> labels;

  /** A counter, as its name says, or a gauge. */
  Metric(String text, Label... labels) {
    this(text, text.endsWith("_total") ? Type.COUNTER : Type.GAUGE, labels);
  }

  Metric(String text, Type type, Label... labels) {
    this(text, type, new long[0], labels);
  }

  Metric(String text, long[] bucketMillis, Label... labels) {
    this(text, Type.HISTOGRAM, bucketMillis, labels);
  }

  Metric(String text, Type type, long[] bucketMillis, Label... labels) {
    this.text = text;
    this.type = type;
    help = MetricText.of(text);
    buckets = Arrays.stream(bucketMillis).mapToObj(Duration::ofMillis).toList();
    this.labels = List.of(labels);
  }

  /** The cloud provider's labels of its operations; ours have a request and a source each. */
  private static Label[] cloudProvider() {
    return new Label[] {
      new Label("request", "loadbalancer_adminstate_update", "services_local_update_backend_pool"),
      new Label("resource_group"),
      new Label("subscription_id"),
      new Label("source", "admin_state_controller", "local_service_backend_pool_updater")
    };
  }

  Type type() {
    return type;
  }

  /** Upper bounds; empty unless it is a histogram. */
  Duration[] buckets() {
    return buckets.toArray(Duration[]::new);
  }

  /** The text in a scrape, which shows no Markdown: without the addresses of links, and code. */
  String help() {
    String withoutLinks = help.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
    return withoutLinks.replace("`", "");
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
