package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.pool.AdminReport;
import io.poolkeeper.service.DrainObserver;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/** Forwards to the node watcher how far the pools have followed the nodes out of service. */
record DrainsToNodes(ActorRef<CoreActor.Command<NodeEvent>> nodes) implements DrainObserver {
  @Override
  public void appeared(PoolId pool) {
    send(new NodeEvent.PoolAppeared(pool));
  }

  @Override
  public void gone(PoolId pool) {
    send(new NodeEvent.PoolGone(pool));
  }

  @Override
  public void looked(long version) {
    send(new NodeEvent.Listed(version));
  }

  @Override
  public void interfaces(Set<String> ipConfigurations) {
    send(new NodeEvent.InterfacesSeen(ipConfigurations));
  }

  @Override
  public void reported(PoolId pool, AdminReport report) {
    send(new NodeEvent.PoolReported(pool, report));
  }

  private void send(NodeEvent event) {
    nodes.tell(new CoreActor.Event<>(event));
  }
}
