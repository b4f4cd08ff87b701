package io.poolkeeper.verify;

import java.util.ArrayList;
import java.util.List;

/** Keeps the exchanges of a run, each with the check that made it. Thread-safe. */
public final class Recorder {
  /** An exchange and its check; {@code scratch} for what makes and deletes the resources. */
  record Recorded(String check, ArmExchange exchange) {}

  private final List<Recorded> recorded = new ArrayList<>();
  private String check = "scratch";

  synchronized void during(String id) {
    check = id;
  }

  public synchronized void add(ArmExchange exchange) {
    recorded.add(new Recorded(check, exchange));
  }

  synchronized List<Recorded> all() {
    return List.copyOf(recorded);
  }
}
