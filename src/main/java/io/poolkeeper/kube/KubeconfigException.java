package io.poolkeeper.kube;

import java.io.Serial;

/** No usable kubeconfig was found; the message lists the places searched and what to do. */
public final class KubeconfigException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  KubeconfigException(String message) {
    super(message);
  }
}
