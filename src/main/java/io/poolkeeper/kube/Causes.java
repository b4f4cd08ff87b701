package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.model.Truncated;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.Optional;

/** A failure as one short line: the API server's own message, else the innermost cause. */
public final class Causes {
  private static final int MAX_LENGTH = 300;

  private static final String UNREACHED = "cannot connect";

  private Causes() {}

  public static String text(Throwable failure) {
    return answer(failure)
        .map(KubernetesClientException::getMessage)
        .map(Causes::line)
        .orElseGet(() -> innermost(failure));
  }

  /** The same line, with the server's address where the JDK does not name it. */
  public static String text(Throwable failure, KubernetesClient client) {
    String text = text(failure);
    return text.equals(UNREACHED) ? text + " to " + client.getMasterUrl().getAuthority() : text;
  }

  /** Whether the failure is an answer of the API server with this status. */
  public static boolean isStatus(Throwable failure, int status) {
    return answer(failure).filter(refusal -> refusal.getCode() == status).isPresent();
  }

  /** Whether the API server has no such object, or does not know its kind. */
  public static boolean isNotFound(Throwable failure) {
    return isStatus(failure, HttpURLConnection.HTTP_NOT_FOUND);
  }

  /** Whether the object has changed since it was read, or exists already. */
  public static boolean isConflict(Throwable failure) {
    return isStatus(failure, HttpURLConnection.HTTP_CONFLICT);
  }

  private static Optional<KubernetesClientException> answer(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException refusal && refusal.getCode() > 0) {
        return Optional.of(refusal);
      }
    }
    return Optional.empty();
  }

  private static String innermost(Throwable failure) {
    Throwable cause = failure;
    // The causes below a ConnectException carry no information.
    while (cause.getCause() != null && !(cause instanceof ConnectException)) {
      cause = cause.getCause();
    }
    String message = Objects.requireNonNullElse(cause.getMessage(), "");
    if (message.isBlank() && cause instanceof ConnectException) {
      return UNREACHED;
    }
    String name = cause.getClass().getSimpleName();
    return line(message.isBlank() ? name : name + ": " + message);
  }

  private static String line(String text) {
    String flat = text.replaceAll("\\s+", " ").trim();
    return Truncated.to(MAX_LENGTH, flat);
  }
}
