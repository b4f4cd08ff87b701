/** Tests of the Kubernetes adapter, against the lab's embedded API server and a real one. */
package io.poolkeeper.kube;
