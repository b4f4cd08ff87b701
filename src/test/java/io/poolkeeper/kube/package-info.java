/** Tests of the Kubernetes side, against the lab's embedded API server and a real one. */
package io.poolkeeper.kube;
