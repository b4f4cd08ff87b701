package io.poolkeeper.lock;

import io.poolkeeper.model.ServiceKey;
import java.time.Instant;

/** What can happen to the shared lock. */
public sealed interface SharedLockEvent {
  /** This process acts from now on. It first gives back what a predecessor has left. */
  record Lead() implements SharedLockEvent {}

  record Demanded(LeaseDemand demand) implements SharedLockEvent {}

  /** The watch shows the Lease, maybe an older version than the last answer. */
  record Seen(LeaseView view) implements SharedLockEvent {}

  record Answered(LeaseAnswer answer) implements SharedLockEvent {}

  /** The cloud provider could not take the Lease to serve the Service at that time. */
  record Complained(ServiceKey service, Instant at) implements SharedLockEvent {}

  /** The cloud provider has served the Service. */
  record Served(ServiceKey service) implements SharedLockEvent {}

  record TimerDue() implements SharedLockEvent {}

  /** Give the Lease back, and end. */
  record Stop() implements SharedLockEvent {}
}
