package io.poolkeeper.kube;

import java.io.Serial;

/** There is no usable way to a cluster; the message says where was looked and what to do. */
public final class KubeconfigException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  KubeconfigException(String message) {
    super(message);
  }
}
