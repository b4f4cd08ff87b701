package io.poolkeeper.simulation;

import io.poolkeeper.lab.armsim.model.Handled;
import io.poolkeeper.lab.armsim.protocol.ArmAnswer;
import io.poolkeeper.lab.armsim.protocol.ArmCall;
import io.poolkeeper.lab.armsim.protocol.ArmPath;
import io.poolkeeper.model.PoolId;
import java.util.Optional;

/** One exchange of the controller's with ARM, as the checker sees it from ARM's end. */
final class Exchange implements SimAzure.Sender {
  private final Checker checker;
  private final Life life;
  private final Optional<Attempt> attempt;

  Exchange(Checker checker, Life life, Optional<Attempt> attempt) {
    this.checker = checker;
    this.life = life;
    this.attempt = attempt;
  }

  @Override
  public void handled(ArmCall call, Handled handled, boolean lost) {
    if (call.method() == ArmCall.Method.GET && call.path() instanceof ArmPath.OnePool pool) {
      attempt.ifPresent(found -> seen(found, pool.id(), handled.answer()));
    } else if (handled.accepted() && call.path() instanceof ArmPath.OnePool pool) {
      attempt.ifPresent(found -> accepted(found, pool.id(), handled, lost));
      checker.changed(pool.id().loadBalancer());
    } else if (call.method() == ArmCall.Method.PUT
        && handled.answer().status() == 412
        && attempt.map(found -> found.accepted).orElse(false)) {
      checker.mark(Mark.REFUSED_412_AFTER_SUCCESS);
    }
  }

  private void seen(Attempt found, PoolId pool, ArmAnswer answer) {
    found.etag = answer.headers().getOrDefault("ETag", "");
    found.read.clear();
    found.read.addAll(checker.azure().addresses(pool.path()));
  }

  private void accepted(Attempt found, PoolId pool, Handled handled, boolean lost) {
    checker
        .trace()
        .say(
            "ARM accepts %s of %s%s"
                .formatted(
                    checker.azure().addresses(pool.path()),
                    found.cell.name,
                    lost ? ", in vain" : ""));
    found.accepted = true;
    found.lied |= lost;
    if (lost) {
      checker.mark(Mark.WRITE_LOST);
    }
    Attempt before = checker.running(pool.loadBalancer());
    if (handled.superseded() && before != null) {
      checker.mark(Mark.WRITE_SUPERSEDED);
      boolean excused =
          before == found
              || before.lost
              || found.lost
              || found.evenIfUpdating
              || before.cell.life != life;
      checker.check(
          excused, found.cell, "a second unresolved write, beside that of " + before.cell.name);
    }
    if (handled.started().isPresent()) {
      checker.runs(pool.loadBalancer(), found);
    }
  }

  @Override
  public void arriving(ArmCall call, ArmAnswer answer) {
    if (answer.status() == 429) {
      checker.throttledAtArm(life, call, answer, attempt);
    }
  }

  @Override
  public void ended(String operation) {
    attempt.ifPresent(found -> checker.rests(found));
  }
}
