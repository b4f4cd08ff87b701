package io.poolkeeper.simulation;

import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.PoolId;
import java.util.Optional;

/** One exchange of the controller's with ARM, as the checker sees it from ARM's end. */
final class Exchange implements SimAzure.Sender {
  private final Traffic traffic;
  private final Life life;
  private final Optional<Attempt> attempt;

  Exchange(Traffic traffic, Life life, Optional<Attempt> attempt) {
    this.traffic = traffic;
    this.life = life;
    this.attempt = attempt;
  }

  @Override
  public void handled(ArmCall call, Handled handled, boolean lost) {
    if (call.method() == ArmCall.Method.GET && call.path() instanceof ArmPath.OnePool pool) {
      attempt.ifPresent(found -> seen(found, pool.id(), handled.answer()));
    } else if (handled.accepted() && call.path() instanceof ArmPath.OnePool pool) {
      attempt.ifPresent(found -> accepted(found, pool.id(), handled, lost));
      traffic.changed(pool.id().loadBalancer());
    } else if (call.method() == ArmCall.Method.PUT
        && handled.answer().status() == 412
        && attempt.map(found -> found.accepted).orElse(false)) {
      traffic.checker().mark(Mark.REFUSED_412_AFTER_SUCCESS);
    }
  }

  private void seen(Attempt found, PoolId pool, ArmAnswer answer) {
    found.etag = answer.headers().getOrDefault("ETag", "");
    found.read.clear();
    found.read.addAll(traffic.azure().addresses(pool.path()));
  }

  private void accepted(Attempt found, PoolId pool, Handled handled, boolean lost) {
    traffic
        .trace()
        .say(
            "ARM accepts %s of %s%s"
                .formatted(
                    traffic.azure().addresses(pool.path()),
                    found.cell.name,
                    lost ? ", in vain" : ""));
    found.accepted = true;
    found.lied |= lost;
    if (lost) {
      traffic.checker().mark(Mark.WRITE_LOST);
    }
    Attempt before = traffic.running(pool.loadBalancer());
    if (handled.superseded() && before != null) {
      traffic.checker().mark(Mark.WRITE_SUPERSEDED);
      boolean excused =
          before == found
              || before.lost
              || found.lost
              || found.evenIfUpdating
              || before.cell.life != life;
      traffic
          .checker()
          .check(
              excused, found.cell, "a second unresolved write, beside that of " + before.cell.name);
    }
    if (handled.started().isPresent()) {
      traffic.runs(pool.loadBalancer(), found);
    }
  }

  @Override
  public void arriving(ArmCall call, ArmAnswer answer) {
    if (answer.status() == 429) {
      traffic.throttled(life, call, answer, attempt);
    }
  }

  @Override
  public void ended(String operation) {
    attempt.ifPresent(found -> traffic.ended(found));
  }
}
