package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.pool.EventRecorder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records core/v1 Events about objects. {@link #record} only queues; a single thread writes to the
 * API server and owns all other state. When the queue is full, its oldest event is dropped; an
 * event that cannot be written is dropped, too, and logged when the failure changes. Dropped events
 * are counted. {@link EventCorrelator} decides which events are written.
 */
public final class KubeEventRecorder implements EventRecorder, AutoCloseable {
  static final int MAX_QUEUED = 1000;

  private static final String COMPONENT = "poolkeeper";
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(KubeEventRecorder.class);

  private final KubernetesClient client;
  private final InstantSource clock;
  private final ThreadPoolExecutor executor;
  private final AtomicLong overrun = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  // Used by the executor's thread alone.
  private final EventCorrelator correlator;
  private long lastSuffix;
  private volatile Optional<String> lastError = Optional.empty();

  /**
   * Creates a recorder; the client stays open when it is closed.
   *
   * @param interval of a pool's writes, see {@link EventCorrelator}
   */
  public KubeEventRecorder(KubernetesClient client, InstantSource clock, Duration interval) {
    this.client = client;
    this.clock = clock;
    this.correlator = new EventCorrelator(interval);
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED),
            Thread.ofPlatform().daemon().name("kube-events").factory(),
            this::dropOldest);
  }

  @Override
  public void record(ObjectEvent event) {
    Instant now = clock.instant();
    executor.execute(() -> write(event, now));
  }

  @Override
  public long dropped() {
    return dropped.get();
  }

  boolean failing() {
    return lastError.isPresent();
  }

  private void dropOldest(Runnable task, ThreadPoolExecutor full) {
    if (!full.isShutdown()) {
      full.getQueue().poll();
      overrun.incrementAndGet();
      dropped.incrementAndGet();
      full.execute(task);
    }
  }

  private void write(ObjectEvent event, Instant now) {
    Optional<EventCorrelator.Write> write = correlator.correlate(event, now);
    if (write.isEmpty()) {
      dropped.incrementAndGet();
      log.debug("event={} object={} suppressed=spam", event.reason(), event.about());
      return;
    }
    try {
      repeatOrCreate(write.get(), now);
      succeeded();
    } catch (RuntimeException failure) {
      failed(event, Causes.text(failure, client));
    }
  }

  /** The API server keeps Events for an hour only, and other clients may delete them. */
  private void repeatOrCreate(EventCorrelator.Write write, Instant now) {
    String earlier = write.repeats().orElse("");
    if (!earlier.isEmpty() && increment(write, earlier, now)) {
      correlator.written(write, earlier, now);
    } else {
      correlator.written(write.asNew(), create(write.event(), now), now);
    }
  }

  private String create(ObjectEvent event, Instant now) {
    String name = event.about().name() + "." + Long.toHexString(uniqueSuffix(now));
    try {
      client
          .v1()
          .events()
          .inNamespace(namespace(event))
          .resource(newEvent(event, name, timestamp(now)))
          .create();
    } catch (RuntimeException failure) {
      // No other process uses the name: an earlier try, whose answer was lost, has made the Event.
      if (!Causes.isConflict(failure)) {
        throw failure;
      }
    }
    return name;
  }

  /** Increments the count of an Event; returns whether that still existed. */
  private boolean increment(EventCorrelator.Write write, String name, Instant now) {
    // A merge patch of two scalars needs no right to read; a patch given as text would be preceded
    // by a read.
    Event repeat =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(namespace(write.event()))
            .withName(name)
            .endMetadata()
            .withCount(write.count())
            .withLastTimestamp(timestamp(now))
            .build();
    try {
      client.v1().events().resource(repeat).patch(PatchContext.of(PatchType.JSON_MERGE));
      return true;
    } catch (RuntimeException failure) {
      if (Causes.isNotFound(failure)) {
        return false;
      }
      throw failure;
    }
  }

  private static Event newEvent(ObjectEvent event, String name, String time) {
    ObjectReference about = event.about();
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(namespace(event))
        .withName(name)
        .endMetadata()
        .withNewInvolvedObject()
        .withApiVersion(about.apiVersion())
        .withKind(about.kind())
        .withNamespace(about.namespace().isEmpty() ? null : about.namespace())
        .withName(about.name())
        .withUid(about.uid().isEmpty() ? null : about.uid())
        .endInvolvedObject()
        .withType(
            switch (event.type()) {
              case NORMAL -> "Normal";
              case WARNING -> "Warning";
            })
        .withReason(event.reason())
        .withMessage(event.message())
        .withNewSource()
        .withComponent(COMPONENT)
        .endSource()
        .withReportingComponent(COMPONENT)
        .withFirstTimestamp(time)
        .withLastTimestamp(time)
        .withCount(1)
        .build();
  }

  /** Events about objects of the whole cluster are in the default namespace. */
  private static String namespace(ObjectEvent event) {
    String namespace = event.about().namespace();
    return namespace.isEmpty() ? "default" : namespace;
  }

  /** The nanoseconds of the clock, made unique in this process. */
  private long uniqueSuffix(Instant now) {
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    lastSuffix = Math.max(nanos, lastSuffix + 1);
    return lastSuffix;
  }

  private static String timestamp(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private void succeeded() {
    if (lastError.isPresent()) {
      log.info("events state=recording");
      lastError = Optional.empty();
    }
    long lost = overrun.getAndSet(0);
    if (lost > 0) {
      log.warn("events state=overrun dropped={}", lost);
    }
  }

  private void failed(ObjectEvent event, String error) {
    dropped.incrementAndGet();
    if (!lastError.equals(Optional.of(error))) {
      log.warn("events state=failing object={} error=\"{}\"", event.about(), error);
      lastError = Optional.of(error);
    }
  }

  /** Stops after a short time for the queued events to be written. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException hurried) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
