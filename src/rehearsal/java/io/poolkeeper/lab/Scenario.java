package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The scenarios, and what each needs before it begins; their names are a contract. */
public enum Scenario {
  TOUR("tour", "a short walk through all of them", Tour::new),
  ROLLING_RESTART(
      "rolling-restart",
      "every Service moves its endpoints, one node at a time",
      RollingRestart::new),
  BURST("burst", "all Services change at once, slices split and vanish, nodes change", Burst::new),
  THROTTLE(
      "throttle",
      "ARM refuses calls: 429 in every form, a lock, a storm of four intervals",
      Throttle::new),
  CONFLICT(
      "conflict",
      "writes conflict: 409, 412, superseded, refused polls, a lost answer",
      Conflict::new),
  PEER_DAMAGE(
      "peer-damage",
      "the cloud provider's updater drops nodes that are still named, and says so or does not",
      PeerDamage::new),
  DRAIN(
      "drain", "nodes go out of service and come back, by each of the taints", DrainScenario::new),
  SPOT(
      "spot",
      "Azure preempts nodes, in the words of old and new detectors; an operator, a restart",
      Spot::new),
  CRASH(
      "crash",
      "the controller is killed again and again, at work, at rest and while it starts",
      Crash::new),
  OTHER_WRITER(
      "other-writer",
      "a cloud provider with the shared Lease, stale writes, a person in the portal",
      OtherWriter::new),
  ADMISSION(
      "admission",
      "bindings to pools that something else manages, and checks that delay, flap and reject",
      AdmissionScenario::new),
  SLOW_WRITE(
      "slow-write", "one write takes 40 s, while others change and a node leaves", SlowWrite::new),
  RESTART_STORM(
      "restart-storm",
      "50 Services changed while no controller ran; one call in ten fails, and a gate",
      RestartStorm::new);

  private final String title;
  private final String summary;
  private final Function<Stage, Play> play;

  Scenario(String title, String summary, Function<Stage, Play> play) {
    this.title = title;
    this.summary = summary;
    this.play = play;
  }

  public String title() {
    return title;
  }

  String summary() {
    return summary;
  }

  List<Spec> services() {
    return this == RESTART_STORM ? Blueprint.MANY : Blueprint.SERVICES;
  }

  /** Changes a pool's initial members, address to node name; most pools start correct. */
  void corrupt(Spec spec, Map<String, String> members) {
    if (this == RESTART_STORM) {
      RestartStorm.corrupt(members);
    } else if (spec.name().equals("web")) {
      members.clear();
    } else if (spec.name().equals("reports")) {
      members.put(Blueprint.ipv4(Blueprint.NODES - 1), Blueprint.nodeName(Blueprint.NODES - 1));
    }
  }

  /** How many parts it has, the start among them. */
  int parts() {
    return this == TOUR ? Tour.PARTS : 1;
  }

  /** Whether the controller begins with full buckets, as one that has run for minutes. */
  boolean rested() {
    return this != RESTART_STORM;
  }

  /** Whether the controller is a process of its own, which is killed. */
  boolean kills() {
    return this == CRASH;
  }

  /** Whether there are bindings, so that their resource is to be defined. */
  boolean bound() {
    return this == ADMISSION;
  }

  Play on(Stage stage) {
    return play.apply(stage);
  }

  static Optional<Scenario> named(String title) {
    return Arrays.stream(values()).filter(scenario -> scenario.title.equals(title)).findFirst();
  }
}
