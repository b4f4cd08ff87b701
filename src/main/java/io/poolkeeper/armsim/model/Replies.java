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
  /** The answer to a PUT. */
  Handled written(ArmCall call, Documents.Change change, int status, Content content) {
    ArmAnswer answer = following(ArmAnswer.of(status, content), call, change);
    return change.running() ? Handled.started(answer, change) : Handled.noop(answer);
  }

  /** The answer to a DELETE. */
  Handled deleted(ArmCall call, Documents.Change change) {
    String location = link(call, change, "operationResults");
    ArmAnswer answer = following(ArmAnswer.empty(202).with("Location", location), call, change);
    return Handled.started(answer, change);
  }

  private ArmAnswer following(ArmAnswer answer, ArmCall call, Documents.Change change) {
    String link = link(call, change, "operations");
    return answer
        .with("Azure-AsyncOperation", link)
        .with("Azure-AsyncNotification", "Enabled")
        .with("Retry-After", retryAfter)
        .with("x-ms-request-id", change.operation());
  }

  private static String link(ArmCall call, Documents.Change change, String collection) {
    LoadBalancer balancer = change.after();
    return Links.operation(
        call,
        balancer.id().subscription(),
        balancer.content().location(),
        collection,
        change.operation());
  }
}
