package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.armsim.protocol.Links;

/**
 * The answers to accepted writes, with the links under which their operations are followed.
 *
 * @param retryAfter the seconds to wait
 */
record Replies(String retryAfter) {
  /** What a write's operation is about: links name its subscription and location. */
  record Followed(String subscription, String location, String operation) {
    private String link(ArmCall call, String collection) {
      return Links.operation(call, subscription, location, collection, operation);
    }
  }

  Handled written(ArmCall call, Documents.Change change, int status, Content content) {
    ArmAnswer answer = following(ArmAnswer.of(status, content), call, change.followed());
    return change.running() ? Handled.started(answer, change) : Handled.noop(answer);
  }

  Handled deleted(ArmCall call, Documents.Change change) {
    return Handled.started(accepted(call, change.followed()), change);
  }

  ArmAnswer accepted(ArmCall call, Followed followed) {
    String location = followed.link(call, "operationResults");
    return following(ArmAnswer.empty(202).with("Location", location), call, followed);
  }

  ArmAnswer following(ArmAnswer answer, ArmCall call, Followed followed) {
    return answer
        .with("Azure-AsyncOperation", followed.link(call, "operations"))
        .with("Azure-AsyncNotification", "Enabled")
        .with("Retry-After", retryAfter)
        .with("x-ms-request-id", followed.operation());
  }
}
