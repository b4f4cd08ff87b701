package io.poolkeeper.ops;

import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.access.AccessVerdict;
import io.poolkeeper.access.Area;
import io.poolkeeper.access.Token;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.http.javadsl.model.AttributeKeys;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.Host;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;

/** Admits a request that needs no token, or whose token has the right. */
final class Guard extends AllDirectives {
  /** Longer than a review takes. */
  private static final Duration PATIENCE = Duration.ofSeconds(9);

  private final ActorSystem<?> system;
  private final AccessPolicy policy;
  private final ActorRef<AccessActor.Command> access;

  Guard(ActorSystem<?> system, AccessPolicy policy, ActorRef<AccessActor.Command> access) {
    this.system = system;
    this.policy = policy;
    this.access = access;
  }

  Route protect(Area area, Supplier<Route> guarded) {
    String needed = "a bearer token of this cluster is needed";
    return protect(area, guarded, () -> complete(unauthorized(needed)));
  }

  /** The same, with another answer for those who bring no token. */
  Route protect(Area area, Supplier<Route> guarded, Supplier<Route> withoutToken) {
    if (policy.open()) {
      return guarded.get();
    }
    return extractRequest(
        request -> {
          InetAddress peer = peer(request);
          if (!needsToken(area, peer, request)) {
            return guarded.get();
          }
          return request
              .getHeader("Authorization")
              .flatMap(header -> Token.of(header.value()))
              .map(token -> reviewed(token, peer, area, guarded))
              .orElseGet(withoutToken);
        });
  }

  private static InetAddress peer(HttpRequest request) {
    return request
        .getAttribute(AttributeKeys.remoteAddress)
        .flatMap(address -> address.getAddress())
        .orElseThrow();
  }

  private boolean needsToken(Area area, InetAddress peer, HttpRequest request) {
    String host = request.getHeader(Host.class).map(header -> header.host().address()).orElse("");
    return policy.needsToken(area, peer, host);
  }

  private Route reviewed(Token token, InetAddress peer, Area area, Supplier<Route> guarded) {
    CompletionStage<AccessVerdict> verdict =
        AskPattern.<AccessActor.Command, AccessVerdict>ask(
                access,
                replyTo -> new AccessActor.Ask(token, area, peer, replyTo),
                PATIENCE,
                system.scheduler())
            .exceptionally(late -> new AccessVerdict.Unanswered("no answer in time"));
    return onSuccess(verdict, answer -> route(answer, area, guarded));
  }

  private Route route(AccessVerdict verdict, Area area, Supplier<Route> guarded) {
    return switch (verdict) {
      case AccessVerdict.Granted granted -> guarded.get();
      case AccessVerdict.Forbidden forbidden ->
          complete(line(403, forbidden(forbidden.user(), area)));
      case AccessVerdict.NoUser none ->
          complete(
              unauthorized(
                  "the API server does not accept this token for the audience %s: kubectl create token ACCOUNT --audience %s"
                      .formatted(Area.AUDIENCE, Area.AUDIENCE)));
      // The error itself is in the log, not for those without a right.
      case AccessVerdict.Unanswered failed ->
          complete(
              line(
                      503,
                      "the API server cannot be asked about the token, or too many are asked about")
                  .addHeader(RawHeader.create("Retry-After", "1")));
    };
  }

  private static String forbidden(String user, Area area) {
    return "%s may not get %s: bind ClusterRole %s to it".formatted(user, area.path(), area.role());
  }

  private static HttpResponse unauthorized(String why) {
    return line(401, why).addHeader(RawHeader.create("WWW-Authenticate", "Bearer"));
  }

  private static HttpResponse line(int status, String text) {
    return HttpResponse.create().withStatus(status).withEntity(text + "\n");
  }
}
