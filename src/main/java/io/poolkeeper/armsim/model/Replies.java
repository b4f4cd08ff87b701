package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.armsim.protocol.Links;
import io.poolkeeper.armsim.resource.Resource;

/**
 * The answers to accepted writes, with the links under which their operations are followed.
 *
 * @param retryAfter the seconds to wait
 */
record Replies(String retryAfter) {
  Handled written(ArmCall call, Documents.Change change, int status, Content content) {
    ArmAnswer answer =
        following(ArmAnswer.of(status, content), call, change.after(), change.operation());
    return change.running() ? Handled.started(answer, change) : Handled.noop(answer);
  }

  Handled deleted(ArmCall call, Documents.Change change) {
    return Handled.started(accepted(call, change.after(), change.operation()), change);
  }

  ArmAnswer accepted(ArmCall call, Resource about, String operation) {
    String location = link(call, about, "operationResults", operation);
    return following(ArmAnswer.empty(202).with("Location", location), call, about, operation);
  }

  ArmAnswer following(ArmAnswer answer, ArmCall call, Resource about, String operation) {
    return answer
        .with("Azure-AsyncOperation", link(call, about, "operations", operation))
        .with("Azure-AsyncNotification", "Enabled")
        .with("Retry-After", retryAfter)
        .with("x-ms-request-id", operation);
  }

  static String link(ArmCall call, Resource about, String collection, String operation) {
    return Links.operation(
        call, about.id().subscription(), about.location(), collection, operation);
  }
}
