package io.poolkeeper.lab;

import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.judge.PoolWrite;
import io.poolkeeper.lab.judge.SharedLease;
import io.poolkeeper.lab.report.Check;
import io.poolkeeper.lab.report.Report;
import java.util.List;

/** What is checked where the cloud provider shares the Lease. */
record LeaseChecks(SharedLease lease, List<ArmRequest> requests, List<PoolWrite> writes) {
  List<Check> checks() {
    return List.of(
        Check.nothing(
            "no write while the cloud provider holds the Lease, but for late drains",
            lease.intruding(requests, writes)),
        Check.nothing(
            "a cloud provider that says that it waits fails four times more at most",
            lease.impatient()),
        Check.nothing("the cloud provider hears of every session", lease.silent()),
        Check.nothing("every session under the shared Lease ends in time", lease.endless()));
  }

  Report.SharedLease figures() {
    return new Report.SharedLease(
        lease.attempts().size(),
        lease.failed(),
        lease.longestRun(),
        lease.bypassing(requests, writes).size());
  }
}
