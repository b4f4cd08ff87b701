package io.poolkeeper.kube;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.access.AccessVerdict;
import io.poolkeeper.access.Area;
import io.poolkeeper.access.Reviews;
import io.poolkeeper.access.Token;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Reviews a token by TokenReview, then SubjectAccessReview, each tried once; the caller bounds how
 * many run. A token of our own audience opens nothing at the API server if it is caught here.
 * Tokens for the API server, such as those of Secrets, read metrics, and all else only if allowed.
 */
public final class KubeReviews implements Reviews, AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(3);

  /** The time of both calls, with waits for their connections. */
  private static final Duration LATEST = CALL.multipliedBy(2).plusSeconds(1);

  private final KubernetesClient client;
  private final boolean apiServerTokens;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Reviews with a client of their own, which has the settings of another one.
   *
   * @param apiServerTokens whether a token that is meant for the API server opens every area
   */
  public KubeReviews(KubernetesClient other, boolean apiServerTokens) {
    this.apiServerTokens = apiServerTokens;
    client = KubeClients.once(other, CALL);
  }

  @Override
  public CompletionStage<AccessVerdict> review(Token token, Area area) {
    try {
      return CompletableFuture.supplyAsync(() -> verdict(token, area), threads)
          .exceptionally(failed -> new AccessVerdict.Unanswered(Causes.text(failed)))
          .completeOnTimeout(
              new AccessVerdict.Unanswered("no answer within %d s".formatted(LATEST.toSeconds())),
              LATEST.toMillis(),
              MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.completedFuture(new AccessVerdict.Unanswered("closed"));
    }
  }

  private AccessVerdict verdict(Token token, Area area) {
    Optional<UserInfo> user = user(token, List.of(Area.AUDIENCE));
    if (user.isEmpty() && (apiServerTokens || area == Area.METRICS)) {
      user = user(token, List.of());
    }
    return user.map(owner -> verdict(owner, area)).orElseGet(AccessVerdict.NoUser::new);
  }

  /** The owner of a token that is for all of these audiences; for the API server if empty. */
  private Optional<UserInfo> user(Token token, List<String> audiences) {
    TokenReview review =
        new TokenReviewBuilder()
            .withNewSpec()
            .withToken(token.value())
            .withAudiences(audiences)
            .endSpec()
            .build();
    return Optional.ofNullable(client.authentication().v1().tokenReviews().create(review))
        .map(TokenReview::getStatus)
        .filter(status -> Boolean.TRUE.equals(status.getAuthenticated()))
        .filter(status -> status.getAudiences().containsAll(audiences))
        .map(TokenReviewStatus::getUser);
  }

  private AccessVerdict verdict(UserInfo user, Area area) {
    SubjectAccessReview review =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(user.getUsername())
            .withUid(user.getUid())
            .withGroups(user.getGroups())
            .withExtra(user.getExtra())
            .withNewNonResourceAttributes()
            .withPath(area.path())
            .withVerb("get")
            .endNonResourceAttributes()
            .endSpec()
            .build();
    return Optional.ofNullable(client.authorization().v1().subjectAccessReview().create(review))
        .map(SubjectAccessReview::getStatus)
        .filter(status -> Boolean.TRUE.equals(status.getAllowed()))
        .<AccessVerdict>map(status -> new AccessVerdict.Granted(user.getUsername()))
        .orElseGet(() -> new AccessVerdict.Forbidden(user.getUsername()));
  }

  @Override
  public void close() {
    threads.shutdownNow();
    client.close();
  }
}
