package io.poolkeeper.kube;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The actor that mirrors a kind, and how to speak to it. It must answer every message by telling
 * anything to {@code ackTo}; until then it gets no other.
 *
 * @param changes makes the message that carries, per changed key, the present view; empty if the
 *     object is gone or counts for nothing
 * @param synced makes the message that follows everything which existed at the first listing
 * @param <A> the acknowledgement
 */
public record Receiver<K, V, M, A>(
    ActorRef<M> actor,
    BiFunction<Map<K, Optional<V>>, ActorRef<A>, M> changes,
    Function<ActorRef<A>, M> synced) {}
