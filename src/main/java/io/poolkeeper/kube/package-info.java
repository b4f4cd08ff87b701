/**
 * The adapter over fabric8: informers that send conflated levels to actors, and the event recorder.
 * Imports the model and ports, never an actor's class. A {@code clock} is monotonic, and {@code
 * wall} is the time of day.
 */
@NullMarked
package io.poolkeeper.kube;

import org.jspecify.annotations.NullMarked;
