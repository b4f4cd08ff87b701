package io.poolkeeper.status;

import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The way of a change from its Service to Azure, and where it stands. */
public final class Stages {
  private static final int SLICES = 1;
  private static final int NODES = 2;
  private static final int ALLOWED = 3;
  private static final int LIMITER = 4;
  private static final int AZURE = 5;
  private static final int THROUGH = 6;

  /** One stage; its state is {@code done}, {@code stuck} or {@code after}. */
  public record Stage(String step, String text, String state) {}

  private Stages() {}

  public static List<Stage> of(PoolLine line) {
    PoolStatus pool = line.status();
    int stuck = line.cause().map(Stages::stuck).orElse(THROUGH);
    List<Stage> stages = new ArrayList<>();
    String services =
        pool.services().keySet().stream()
            .sorted()
            .map(ServiceKey::toString)
            .collect(Collectors.joining(", "));
    int leaving = pool.difference().leaving().size();
    add(stages, stuck, "Service", services.isEmpty() ? "none" : services);
    add(
        stages,
        stuck,
        "EndpointSlices",
        stuck == SLICES ? line.why() : pool.difference().known() ? "all known" : "none seen");
    add(
        stages,
        stuck,
        "Nodes",
        stuck == NODES
            ? line.why()
            : pool.members().desired().size()
                + " wanted"
                + (leaving == 0 ? "" : ", " + leaving + " leaving")
                + pool.picture().ignored().stream()
                    .map("; "::concat)
                    .collect(Collectors.joining()));
    add(stages, stuck, "Allowed", stuck == ALLOWED ? line.why() : "yes");
    add(stages, stuck, "Rate limiter", stuck == LIMITER ? line.why() : "open");
    add(stages, stuck, "Azure", line.nodes());
    return stages;
  }

  private static int stuck(Cause cause) {
    return switch (cause) {
      case Cause.WatchLost w -> SLICES;
      case Cause.Starting s -> SLICES;
      case Cause.NoEndpointSlice n -> SLICES;
      case Cause.NodeWithoutAddress n -> NODES;
      case Cause.HeldByCheck h -> ALLOWED;
      case Cause.Paused p -> ALLOWED;
      case Cause.Braked b -> ALLOWED;
      case Cause.NotLeading n -> ALLOWED;
      case Cause.NoLeader n -> ALLOWED;
      case Cause.PreemptionsPaused p -> ALLOWED;
      case Cause.PreemptionsWaiting p -> ALLOWED;
      case Cause.NotManaged n -> ALLOWED;
      case Cause.WouldWrite w -> ALLOWED;
      case Cause.LeftAlone l -> ALLOWED;
      case Cause.Throttled t -> LIMITER;
      case Cause.Queued q -> LIMITER;
      case Cause.Batching b -> LIMITER;
      case Cause.LeaseHeld l -> LIMITER;
      case Cause.Settling s -> LIMITER;
      case Cause.RetryBudgetEmpty r -> LIMITER;
      case Cause.TokensEmpty t -> LIMITER;
      case Cause.Writing w -> AZURE;
      case Cause.Refused r -> AZURE;
      case Cause.ResourceLock l -> AZURE;
      case Cause.PolicyDenies p -> AZURE;
      case Cause.LockedGroup l -> AZURE;
      case Cause.Failing f -> AZURE;
      case Cause.Contested c -> AZURE;
      case Cause.SignInFailing s -> AZURE;
      case Cause.AzureUnreachable a -> AZURE;
      case Cause.ListingFailing l -> AZURE;
      case Cause.Unreadable u -> AZURE;
      case Cause.WithoutPool w -> AZURE;
    };
  }

  private static void add(List<Stage> stages, int stuck, String step, String text) {
    int index = stages.size();
    stages.add(new Stage(step, text, index < stuck ? "done" : index == stuck ? "stuck" : "after"));
  }
}
