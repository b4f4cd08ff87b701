package io.poolkeeper.watch;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The actor that receives the objects of a kind, and its messages. It must acknowledge every
 * message to {@code ackTo}; until then it gets no other.
 *
 * @param changes creates the message with the current view per changed key; empty if the object is
 *     deleted or irrelevant
 * @param lost creates the message that what was delivered may be old, until the next synced one
 * @param synced creates the message that follows all objects of the first list, and of the list
 *     after each loss
 * @param <A> the acknowledgement
 */
public record Receiver<K, V, M, A>(
    ActorRef<M> actor,
    BiFunction<Map<K, Optional<V>>, ActorRef<A>, M> changes,
    Function<ActorRef<A>, M> lost,
    Function<ActorRef<A>, M> synced) {}
