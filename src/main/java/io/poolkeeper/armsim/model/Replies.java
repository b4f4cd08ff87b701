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
  Handled written(ArmCall call, Documents.Change change, boolean created, Content content) {
    ArmAnswer answer = following(ArmAnswer.of(created ? 201 : 200, content), call, change);
    return change.running()
        ? Handled.started(answer, change.operation(), change.superseded())
        : Handled.noop(answer);
  }

  Handled deleted(ArmCall call, Documents.Change change) {
    String location = link(call, change.after(), "operationResults", change.operation());
    ArmAnswer accepted = ArmAnswer.empty(202).with("Location", location);
    return Handled.started(
        following(accepted, call, change), change.operation(), change.superseded());
  }

  private ArmAnswer following(ArmAnswer answer, ArmCall call, Documents.Change change) {
    return answer
        .with("Azure-AsyncOperation", link(call, change.after(), "operations", change.operation()))
        .with("Azure-AsyncNotification", "Enabled")
        .with("Retry-After", retryAfter)
        .with("x-ms-request-id", change.operation());
  }

  static String link(ArmCall call, Resource about, String collection, String operation) {
    return Links.operation(
        call, about.id().subscription(), about.location(), collection, operation);
  }
}
