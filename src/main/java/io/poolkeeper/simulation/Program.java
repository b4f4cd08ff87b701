package io.poolkeeper.simulation;

import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodeEvent;
import java.time.Duration;

/** One process of the controller, as what is around it and what it consists of know it. */
interface Program {
  /** Counted from 1. */
  int number();

  boolean alive();

  /** Whether it was asked to stop, or stops by itself, as a part of it has failed. */
  boolean ending();

  /** How far its clock is ahead of the world's time. */
  Duration ahead();

  /** Runs only while the process lives and is not standing still. */
  Runnable guarded(Runnable what);

  /** It is gone from one moment to the next. */
  void die();

  /** Whether its watches show all that happens to nodes. */
  boolean seesNodes();

  /** Once a second for each of its watches. */
  void looksAtWatches();

  /** A line of its log. */
  void logged(String format, Object[] arguments);

  /** Somebody else wrote to a load balancer. */
  void othersWrote(LoadBalancerId balancer);

  /** An event of the cloud provider's about the shared Lease arrives. */
  void heard(SharedLockEvent event);

  /** The event of the cloud provider that it has written the pools of a Service arrives. */
  void peerWrote(ServiceKey service);

  /** An event about a node arrives. */
  void preempted(NodeEvent.Preempted event);
}
