/**
 * The Kubernetes side over fabric8: informers whose changes reach actors as conflated levels, and
 * the recorder of events. Knows the model and ports, never an actor's class.
 */
@NullMarked
package io.poolkeeper.kube;

import org.jspecify.annotations.NullMarked;
