package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be rehearsed; the names are a contract. */
public enum Scenario {
  TOUR("tour", "a short walk through all of them") {
    @Override
    public void play(Stage stage) throws InterruptedException {
      ROLLING_RESTART.play(stage);
      BURST.play(stage);
      stage.say("throttle, a taste of it");
      Throttle.taste(stage);
      stage.say("conflict, a taste of it");
      Conflict.taste(stage);
    }
  },
  ROLLING_RESTART("rolling-restart", "every Service moves its endpoints, one node at a time") {
    @Override
    public void play(Stage stage) throws InterruptedException {
      RollingRestart.play(stage);
    }
  },
  BURST("burst", "all Services change at once, slices split and vanish, nodes change") {
    @Override
    public void play(Stage stage) throws InterruptedException {
      Burst.play(stage);
    }
  },
  THROTTLE("throttle", "ARM refuses calls: 429 in every form, a lock, a storm of four intervals") {
    @Override
    public void play(Stage stage) throws InterruptedException {
      Throttle.play(stage);
    }
  },
  CONFLICT("conflict", "writes meet others: 409, 412, superseded, refused polls, a lost answer") {
    @Override
    public void play(Stage stage) throws InterruptedException {
      Conflict.play(stage);
    }
  },
  RESTART_STORM(
      "restart-storm",
      "50 Services changed while nobody was there; one call in ten fails, and a gate") {
    @Override
    public List<Spec> services() {
      return Blueprint.MANY;
    }

    @Override
    void spoil(Spec spec, Map<String, String> members) {
      RestartStorm.spoil(members);
    }

    @Override
    public void prepare(Stage stage) throws InterruptedException {
      RestartStorm.prepare(stage);
    }

    @Override
    public void announce(Stage stage) {
      RestartStorm.announce(stage);
    }

    @Override
    public void play(Stage stage) {
      stage.say("the storm is over");
    }
  };

  private final String title;
  private final String summary;

  Scenario(String title, String summary) {
    this.title = title;
    this.summary = summary;
  }

  /** Its name on the command line and in reports. */
  public String title() {
    return title;
  }

  /** What happens, in one line. */
  public String summary() {
    return summary;
  }

  /** What the world has. */
  public List<Spec> services() {
    return Blueprint.SERVICES;
  }

  /**
   * Makes a pool's members, address to node name, what they are before there is a controller; most
   * are right already.
   */
  void spoil(Spec spec, Map<String, String> members) {
    if (spec.name().equals("web")) {
      members.clear();
    }
    if (spec.name().equals("reports")) {
      members.put(Blueprint.ipv4(Blueprint.NODES - 1), Blueprint.nodeName(Blueprint.NODES - 1));
    }
  }

  /** What is done before there is a controller. */
  public void prepare(Stage stage) throws InterruptedException {}

  /** Says what the controller finds. */
  public void announce(Stage stage) {
    stage.say("starting up: the pools of web and reports are wrong and must be put right");
  }

  /** What happens once everything is as it ought to be. */
  public abstract void play(Stage stage) throws InterruptedException;

  public static Optional<Scenario> named(String title) {
    return Arrays.stream(values()).filter(scenario -> scenario.title.equals(title)).findFirst();
  }
}
