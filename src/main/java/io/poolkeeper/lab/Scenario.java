package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The scenarios; their names are a contract. */
public enum Scenario {
  TOUR("tour", "a short walk through all of them", Tour::play),
  ROLLING_RESTART(
      "rolling-restart",
      "every Service moves its endpoints, one node at a time",
      RollingRestart::play),
  BURST("burst", "all Services change at once, slices split and vanish, nodes change", Burst::play),
  THROTTLE(
      "throttle",
      "ARM refuses calls: 429 in every form, a lock, a storm of four intervals",
      Throttle::play),
  CONFLICT(
      "conflict",
      "writes conflict: 409, 412, superseded, refused polls, a lost answer",
      Conflict::play),
  PEER_DAMAGE(
      "peer-damage",
      "the cloud provider's updater drops nodes that are still named, and says so or does not",
      PeerDamage::play),
  DRAIN(
      "drain", "nodes go out of service and come back, by each of the taints", DrainScenario::play),
  SPOT(
      "spot",
      "Azure preempts nodes, in the words of old and new detectors; an operator, a restart",
      Spot::play),
  CRASH(
      "crash",
      "the controller is killed again and again, at work, at rest and while it starts",
      Crash::play),
  OTHER_WRITER(
      "other-writer",
      "a cloud provider with the shared Lease, stale writes, a person in the portal",
      OtherWriter::play),
  ADMISSION(
      "admission",
      "bindings to pools that something else manages, and checks that delay, flap and reject",
      AdmissionScenario::play),
  SLOW_WRITE(
      "slow-write", "one write takes 40 s, while others change and a node leaves", SlowWrite::play),
  RESTART_STORM(
      "restart-storm",
      "50 Services changed while no controller ran; one call in ten fails, and a gate",
      stage -> stage.say("the storm is over"));

  private interface Play {
    void on(Stage stage) throws InterruptedException;
  }

  private final String title;
  private final String summary;
  private final Play play;

  Scenario(String title, String summary, Play play) {
    this.title = title;
    this.summary = summary;
    this.play = play;
  }

  /** Its name on the command line and in reports. */
  public String title() {
    return title;
  }

  /** One line about what happens. */
  String summary() {
    return summary;
  }

  /** The Services of the cluster. */
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

  /** Whether others write at the same time, so that errors and repairs come by chance. */
  boolean contended() {
    return this == OTHER_WRITER;
  }

  /** Whether there are bindings, so that their resource is to be defined. */
  boolean bound() {
    return this == ADMISSION;
  }

  /** Runs before the controller starts. */
  void prepare(Stage stage) throws InterruptedException {
    if (this == ADMISSION) {
      AdmissionScenario.prepare(stage);
    } else if (this == RESTART_STORM) {
      RestartStorm.prepare(stage);
    }
  }

  /** Describes the state at the start. */
  void announce(Stage stage) {
    if (this == RESTART_STORM) {
      RestartStorm.announce(stage);
    } else {
      stage.say("starting up: the pools of web and reports are wrong and must be put right");
    }
  }

  /** Runs once every pool is correct. */
  void play(Stage stage) throws InterruptedException {
    play.on(stage);
  }

  static Optional<Scenario> named(String title) {
    return Arrays.stream(values()).filter(scenario -> scenario.title.equals(title)).findFirst();
  }
}
