package io.poolkeeper.watch;

import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.node.NodeEvent;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The actors and consumers that follow the objects of the cluster, by kind.
 *
 * @param bindings empty if bindings are not followed
 * @param cloudProviderWrote receives each Service whose pools the cloud provider has written
 * @param preempted receives each event that may announce a preemption
 * @param lock receives whether the cloud provider waits for the shared Lease; empty if that is not
 *     used
 */
public record Receivers(
    Receiver<ServiceKey, ServiceView, ?> services,
    Receiver<SliceView.Key, SliceView, ?> slices,
    Receiver<NodeKey, NodeView, ?> nodes,
    Receiver<String, NamespaceView, ?> namespaces,
    Optional<Receiver<BindingKey, BindingView, ?>> bindings,
    Consumer<ServiceKey> cloudProviderWrote,
    Consumer<NodeEvent.Preempted> preempted,
    Optional<Consumer<SharedLockEvent>> lock) {}
