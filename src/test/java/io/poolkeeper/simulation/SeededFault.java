package io.poolkeeper.simulation;

import java.util.List;
import java.util.stream.Stream;

/**
 * A fault that is put into the program to see whether the simulator finds it: replacements of text
 * in its sources. A text that is not there any more is an error, so that the list stays true.
 */
record SeededFault(String name, List<Edit> edits) {
  /** One replacement, in a file below the program's package. */
  record Edit(String file, String from, String to) {
    String apply(String source) {
      if (!source.contains(from)) {
        throw new IllegalStateException("%s does not hold: %s".formatted(file, from));
      }
      return source.replace(from, to);
    }
  }

  static Stream<SeededFault> all() {
    return Stream.of(
            ofQueues(),
            ofAttempts(),
            ofOthers(),
            ofLooks(),
            ofWrites(),
            ofDrains(),
            ofSignals(),
            ofTheLease(),
            BindingFaults.all())
        .flatMap(List::stream);
  }

  private static List<SeededFault> ofQueues() {
    return List.of(
        skippedGet(),
        of(
            "append retried operations instead of prepending them",
            "pool/UpdateQueue.java",
            """
                taken.stream().filter(one -> !holdsFresh(one)).forEach(next::add);
                operations.stream().map(one -> asOldAsBefore(one, taken)).forEach(next::add);
            """,
            """
                operations.stream().map(one -> asOldAsBefore(one, taken)).forEach(next::add);
                taken.stream().filter(one -> !holdsFresh(one)).forEach(next::add);
            """),
        of(
            "forget relevance before requeue",
            "pool/AttemptEnd.java",
            ".filter(state.desired()::relevant)\n            .filter(c",
            ".filter(c"),
        of(
            "consume a retry while parked",
            "pool/PoolCore.java",
            "    boolean repair = state.queue().repair() || still instanceof Phase.Resting;",
            """
                if (still instanceof Phase.Parked && state.queue().operations().size() == 1) {
                  java.util.List<Operation> consumed =
                      state.queue().operations().stream()
                          .map(operation -> operation.consumed(Optional.empty()))
                          .toList();
                  state = state.with(new UpdateQueue(consumed, Optional.of(now), false));
                }
                boolean repair = state.queue().repair() || still instanceof Phase.Resting;"""),
        of(
            "lose the operation when a turn ends without a write",
            "pool/AttemptEnd.java",
            ".with(state.queue().prepend(changes, due))",
            ".with(changes.isEmpty() ? state.queue().prepend(changes, due) : state.queue())"));
  }

  private static SeededFault skippedGet() {
    return new SeededFault(
        "skip the fresh GET",
        List.of(
            new Edit(
                "pool/PoolCore.java",
                "  private final PoolLimits configured;\n",
                """
                      private final PoolLimits configured;
                      private Optional<io.poolkeeper.arm.PoolDocument> kept = Optional.empty();

                      private PoolEvent.ReadDone keep(PoolEvent.ReadDone read) {
                        kept = Optional.of(read.document());
                        return read;
                      }
                    """),
            new Edit("pool/PoolCore.java", ".done(read)", ".done(keep(read))"),
            new Edit(
                "pool/PoolCore.java",
                "private static Decision<PoolState, PoolEffect> onTurnGranted(",
                "private Decision<PoolState, PoolEffect> onTurnGranted("),
            new Edit(
                "pool/PoolCore.java",
                "    PoolEffect read =",
                """
                        if (kept.isPresent() && next.phase() instanceof Phase.Reading reading) {
                          io.poolkeeper.model.PoolEdit edit =
                              PoolPlan.of(kept.get().view(), next.desired().members());
                          if (!edit.isEmpty()) {
                            Phase writing =
                                reading.write(edit, next.desired().services().keySet());
                            return Decision.of(
                                next.with(writing).with(next.history().wrote(now)),
                                new PoolEffect.Write(kept.get(), edit, granted.deadline()));
                          }
                        }
                        PoolEffect read =""")));
  }

  private static List<SeededFault> ofAttempts() {
    return List.of(
        of(
            "use the desired members of the oldest operation",
            "pool/Desired.java",
            "    next.put(level.assignment().service(), level);",
            """
                if (!queue.isEmpty() && services.containsKey(level.assignment().service())) {
                  return this;
                }
                next.put(level.assignment().service(), level);"""),
        new SeededFault(
            "no repair after giving up",
            List.of(
                new Edit(
                    "pool/PoolSchedule.java",
                    "return still.fail(notBefore(repairAt, limits, state, failing));",
                    "return still.idle();"),
                new Edit(
                    "pool/Observation.java",
                    "Decision.of(state.withRepair(true))",
                    "Decision.of(state.withRepair(false))"))),
        of(
            "one retry more than allowed",
            "pool/AttemptEnd.java",
            "operation.retryCount() < limits.maxRetries()",
            "operation.retryCount() <= limits.maxRetries()"),
        of(
            "write although others are writing",
            "pool/AttemptRead.java",
            "boolean others = view.updating() && !reading.attempt().evenIfUpdating();",
            "boolean others = false;"),
        of(
            "keep the turn of a failed read",
            "pool/AttemptEnd.java",
            "    all.add(new PoolEffect.ReturnTurn(attempt().turn(), result));",
            """
                if (result != TurnResult.FAILED) {
                  all.add(new PoolEffect.ReturnTurn(attempt().turn(), result));
                }"""),
        of(
            "report a failed repair as given up",
            "pool/AttemptEnd.java",
            "    if (attempt().repair()) {\n      return repairLater(failure);\n    }\n",
            ""));
  }

  private static List<SeededFault> ofOthers() {
    return List.of(
        of(
            "drop If-Match",
            "arm/azure/ArmCalls.java",
            "if (!etag.isEmpty()) {",
            "if (etag.length() > 10_000) {"),
        of(
            "two writes per load balancer",
            "turnstile/Lanes.java",
            "if (after.turn().isEmpty()) {",
            "if (!after.waiting().isEmpty()) {"),
        new SeededFault(
            "gates that shorten",
            List.of(
                new Edit(
                    "arm/azure/ThrottlePolicy.java", "old.isAfter(fresh) ? old : fresh", "fresh"),
                new Edit(
                    "turnstile/Gates.java",
                    "if (!until.isAfter(before)) {",
                    "if (until.equals(before)) {"))),
        of(
            "act before the caches have synced",
            "service/ServiceMapStep.java",
            "return fresh && bound && synced.size() == CacheKind.values().length;",
            "return fresh && bound;"),
        of(
            "take a 412 for good",
            "model/ArmFailure.java",
            "        || answered(PRECONDITION_FAILED)\n",
            ""),
        of(
            "ignore the write tokens",
            "turnstile/Admission.java",
            "if (!quota.writes().allow(lane, out.size(), drainsOut(lane))) {",
            "if (out.size() > 10_000) {"),
        of(
            "one turn more than may be out",
            "turnstile/Admission.java",
            "return counted >= limits.maxInFlight();",
            "return counted > limits.maxInFlight();"),
        of(
            "leave a crashed pool dead",
            "service/ServiceMapStep.java",
            "    for (PoolId pool : pools.respawn(now)) {\n",
            "    pools.respawn(now);\n    for (PoolId pool : List.<PoolId>of()) {\n"));
  }

  private static List<SeededFault> ofLooks() {
    return List.of(
        new SeededFault(
            "never look again",
            List.of(
                new Edit(
                    "service/ListingSchedule.java",
                    "return with(looks.wanted(now), peer, drains);",
                    "return this;"),
                new Edit(
                    "service/ListingSchedule.java",
                    "return with(looks, peer.wrote(service, now, lastStart), drains);",
                    "return this;"))),
        of(
            "repair while a watch is lost",
            "service/ServiceMapStep.java",
            "    watches = watches.with(kind, assignments.nextNumber());\n    if (first) {",
            "    if (first && watches.any()) {"),
        of(
            "leave a half-open watch to the client",
            "kube/WatchLiveness.java",
            "return bookmarks && downSince.isEmpty()",
            "return bookmarks && number > 1_000"));
  }

  private static List<SeededFault> ofWrites() {
    return List.of(
        of(
            "let the last try of a write say all",
            "arm/azure/CallRetry.java",
            "              ArmCalls.triedAgain(context);\n",
            ""),
        of(
            "let a write last for a whole turn after a slow read",
            "arm/azure/AzureArm.java",
            ".timeout(left(deadline, turnDeadline), arm.threads().delays())",
            ".timeout(turnDeadline, arm.threads().delays())"),
        of(
            "follow a write beyond its turn",
            "arm/azure/AzureArm.java",
            ".timeout(left(deadline, turnDeadline), arm.threads().delays())",
            ".timeout(Duration.ofMinutes(10), arm.threads().delays())"),
        of(
            "go on after a write without an end",
            "turnstile/TurnstileStep.java",
            "case SUPERSEDED, OTHER_WRITER, UNRESOLVED -> settling(free, turn.get());",
            "case SUPERSEDED, OTHER_WRITER, UNRESOLVED -> free;"),
        of(
            "take any answer to a look for the end",
            "turnstile/TurnstileActor.java",
            "pool.view().updating() ? LookResult.UPDATING : LookResult.SETTLED",
            "LookResult.SETTLED"));
  }

  private static List<SeededFault> ofDrains() {
    return List.of(
        of(
            "leave a node Down that came back",
            "pool/AdminPlan.java",
            "leaving.isEmpty() && set.live();",
            "leaving.isEmpty() && entry.name().isBlank();"),
        of(
            "set back to None while the watch of nodes is lost",
            "pool/AdminPlan.java",
            "leaving.isEmpty() && set.live();",
            "leaving.isEmpty();"),
        of(
            "let a drain wait for the end of a parked change",
            "pool/Turns.java",
            "    return switch (state.phase()) {\n      case Phase.Still still ->",
            """
                return switch (state.phase()) {
                  case Phase.Parked p -> decision;
                  case Phase.Still still ->"""),
        of(
            "take a drain for done when it is written",
            "pool/AttemptEnd.java",
            "drain = written.observed().map(seen -> drain.wanted(seen, now)).orElse(drain);",
            "drain = written.observed().map(seen -> drain.seen(seen, now, now)).orElse(drain);"),
        of(
            "add a node that leaves as if it stayed",
            "pool/AttemptRead.java",
            "plan(view.with(members)).edit()",
            "plan(view).edit()"),
        of(
            "forget the admin states of what a drain leaves alone",
            "arm/azure/PoolJson.java",
            "entries.forEach(entry -> set(entry, edit.adminStates()));",
            """
                entries.forEach(entry -> set(entry, edit.adminStates()));
                if (!edit.adminStates().isEmpty()) {
                  entries.forEach(
                      entry -> {
                        if (!edit.adminStates().containsKey(entry.path("name").asText())
                            && entry.path("properties") instanceof ObjectNode own) {
                          own.remove(ADMIN_STATE);
                        }
                      });
                }"""));
  }

  private static List<SeededFault> ofSignals() {
    return List.of(
        of(
            "write nodes that opted out",
            "node/Signals.java",
            "return \"ignore\".equals(",
            "return \"never\".equals("),
        of(
            "taint a node again that was cleared",
            "node/Handled.java",
            "        Stream.of(annotation.split(\";\", -1))\n",
            "        Stream.<String>of()\n"),
        of(
            "keep a replacement Down under the same name",
            "node/NodeStep.java",
            "    return reasons.isEmpty()\n        ? Optional.empty()\n",
            "    return reasons.isEmpty()\n        ? before.filter(was -> same.isEmpty())\n"),
        of(
            "take an event about an old node for the new one",
            "node/Preemptions.java",
            "\n        || event.at().isBefore(node.created())",
            ""),
        of(
            "heed messages that only look alike",
            "node/Notice.java",
            "\"Preempt (?:Scheduled",
            "\"(?:Preempt|Freeze|Reboot) (?:Scheduled"),
        of(
            "give up a patch that failed",
            "node/Preemptions.java",
            "case DONE, GONE -> spot.patched(now);\n          case CONFLICT, FAILED -> spot.failed(now, random);",
            "case DONE, GONE, CONFLICT, FAILED -> spot.patched(now);"),
        of(
            "patch a node while a patch is under way",
            "node/SpotNode.java",
            "return underWay.isEmpty()\n        && !next.ids.isEmpty()",
            "return !next.ids.isEmpty()"));
  }

  private static List<SeededFault> ofTheLease() {
    return List.of(
        of(
            "write without the shared Lease",
            "turnstile/LeaseGate.java",
            "return off() || held().map(one -> mayGrant(one, now)).orElse(false);",
            "return true;"),
        of(
            "keep the shared Lease through a Retry-After",
            "lock/SharedLockStep.java",
            "demand.ended() >= held.session()",
            "(demand.ended() >= held.session() && demand.wanted())"),
        of(
            "give back another's Lease",
            "lock/SharedLockState.java",
            "view.is(Whose.OURS) || (namesakes && view.is(Whose.NAMESAKE))",
            "view.holder().isPresent()"),
        of(
            "take a Lease that is busy",
            "lock/LeaseView.java",
            "found.whose() == Whose.OTHER",
            "found.whose() == Whose.NAMESAKE"));
  }

  static SeededFault of(String name, String file, String from, String to) {
    return new SeededFault(name, List.of(new Edit(file, from, to)));
  }

  @Override
  public String toString() {
    return name;
  }
}
