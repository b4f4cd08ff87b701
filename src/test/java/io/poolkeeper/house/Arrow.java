package io.poolkeeper.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The allowed dependencies between rooms: {@code cli -> Guardian -> actors -> cores -> model},
 * adapters beside them. The lab and the simulators depend on the program, and nothing depends on
 * them: they are a separate jar. A rule about a room that does not exist yet passes.
 */
enum Arrow {
  /** The model depends on nothing. */
  MODEL_KNOWS_NOTHING {
    @Override
    ArchRule in(String root) {
      return classes()
          .that(resideInAPackage(root + ".model.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("java..", "org.jspecify..", root + ".model.."))
          .as("model should know the JDK and itself only")
          .because("everything depends on it: move what needs more into the room that needs it");
    }
  },
  /** A core decides only; it depends on no library with effects. */
  CORES_ARE_PURE {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(pure(root).and(port().negate()))
          .should()
          .dependOnClassesThat(resideInAPackage("org.apache.pekko..").or(effects()))
          .as("cores and the parts of their rooms should know no actor, client, JSON or log")
          .because("they are driven by tests: return an effect and let the actor run it");
    }
  },
  /** A port has no library's types. */
  PORTS_SPEAK_OUR_WORDS {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(pure(root).and(port()))
          .should()
          .dependOnClassesThat(effects())
          .as("ports should not speak a library's words")
          .because("an adapter translates: give the port a record of model instead");
    }
  },
  /** Actors call cores, never the reverse. */
  CORES_KNOW_NO_ACTOR {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(pure(root).and(port().negate()))
          .should()
          .dependOnClassesThat(shell())
          .as("cores and the parts of their rooms should not know an actor or what it is given")
          .because("the actor translates: give the core an event and let it return an effect");
    }
  },
  /** A section of the settings builds the limits of a core; so nothing below knows settings. */
  LIMITS_DO_NOT_KNOW_SETTINGS {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAPackage(root + ".*..")
                  .and(
                      resideInAnyPackage(
                              root + ".config..",
                              root + ".doctor..",
                              root + ".uninstall..",
                              root + ".kube..",
                              root + ".ops..",
                              root + ".process..",
                              root + ".cli..",
                              root + ".lab..",
                              root + ".simulation..")
                          .negate())
                  .and(named(root + ".verify.VerifyCommand").negate()))
          .should()
          .dependOnClassesThat(resideInAPackage(root + ".config.."))
          .as("a room whose limits are settings should not know config")
          .because("config knows the room: take the limits as a record of the room's own");
    }
  },
  /** A room can be read without those that use it. */
  ROOMS_HAVE_NO_CIRCLE {
    @Override
    ArchRule in(String root) {
      return slices()
          .matching(root + ".(*)..")
          .should()
          .beFreeOfCycles()
          .as("rooms should have no circle")
          .because("each floor stands on those below: move what both need into the lower room");
    }
  },
  /** Which of two types is used first must not matter: the other would read a null. */
  STATIC_INITIALIZERS_HAVE_NO_CIRCLE {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(resideInAPackage(root + ".."))
          .should(beInitializedByWhatTheyInitialize())
          .because("the second to start reads nulls: let one of them have no static of its own");
    }
  },
  /** No room depends on what wires it. */
  ROOMS_DO_NOT_KNOW_THE_PROCESS {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAPackage(root + ".*..")
                  .and(
                      resideInAnyPackage(root + ".process..", root + ".cli..")
                          .or(lab(root))
                          .negate()))
          .should()
          .dependOnClassesThat(resideInAnyPackage(root, root + ".process.."))
          .as("rooms should not know Guardian, Entropy or Main")
          .because("process wires the rooms: take what you need as an argument");
    }
  },
  /** The command line is the top. */
  ONLY_MAIN_AND_COMMANDS_KNOW_CLI {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAPackage(root + "..")
                  .and(resideInAPackage(root + ".cli..").negate())
                  .and(lab(root).and(outermostNamed(".*Command")).negate())
                  .and(named(root + ".Main").negate()))
          .should()
          .dependOnClassesThat(resideInAPackage(root + ".cli.."))
          .as("nothing but Main and the commands of lab, armsim and simulation should know cli")
          .because("commands call the program: move what both need into a room of its own");
    }
  },
  /** Nothing in src/main knows src/rehearsal, whose jar does not ship with the controller. */
  NOTHING_KNOWS_THE_LAB {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(resideInAPackage(root + "..").and(lab(root).negate()))
          .should()
          .dependOnClassesThat(lab(root))
          .as("the controller should not know lab, armsim, simulation or judge")
          .because("they are not on its class path: use a port, or a CommandProvider");
    }
  },
  /** Only the process chooses adapters. */
  ADAPTERS_ARE_WIRED_IN_PROCESS {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAPackage(root + ".*..")
                  .and(
                      resideInAnyPackage(
                              root + ".arm.azure..",
                              root + ".kube..",
                              root + ".process..",
                              root + ".cli..",
                              root + ".lab..",
                              root + ".simulation..",
                              root + ".verify.azure..")
                          .negate())
                  .and(named(root + ".verify.Verification").negate()))
          .should()
          .dependOnClassesThat(resideInAnyPackage(root + ".arm.azure..", root + ".kube.."))
          .as("rooms should not know the adapters arm.azure and kube")
          .because("they know ports: declare one in the room and let Guardian pass the adapter");
    }
  },
  /** The actors' ports are interfaces of the rooms that need them. */
  ADAPTERS_ARE_WIRED_IN_CONTROLLER {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAPackage(root + ".process..")
                  .and(named(root + ".process.Controller").negate()))
          .should()
          .dependOnClassesThat(resideInAnyPackage(root + ".arm.azure..", root + ".kube.."))
          .as("process should not know the adapters arm.azure and kube but in Controller")
          .because("the simulator runs the Guardian: give Ports an interface of a room instead");
    }
  },
  /** The lab simulates ARM; it does not call it. */
  LAB_DOES_NOT_KNOW_THE_AZURE_ADAPTER {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(resideInAnyPackage(root + ".lab..", root + ".armsim.."))
          .should()
          .dependOnClassesThat(resideInAPackage(root + ".arm.azure.."))
          .as("lab and armsim should not know arm.azure")
          .because("the controller reaches the simulator over HTTP, as configured: use Settings");
    }
  },
  /** The Azure SDK has one room in the controller, and one in what examines Azure. */
  AZURE_SDK_HAS_ONE_ROOM {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAPackage(root + "..")
                  .and(
                      resideInAnyPackage(root + ".arm.azure..", root + ".verify.azure..").negate()))
          .should()
          .dependOnClassesThat(resideInAPackage("com.azure.."))
          .as("only arm.azure and verify.azure should know the Azure SDK")
          .because("it throws and retries in its own way: go through the ports of arm");
    }
  },
  /** The Kubernetes client is used only by its adapter, by code that creates it, and by the lab. */
  KUBERNETES_CLIENT_HAS_ITS_ROOMS {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAPackage(root + "..")
                  .and(resideInAnyPackage(root + ".kube..", root + ".lab..").negate())
                  .and(handsOverTheClient(root).negate()))
          .should()
          .dependOnClassesThat(resideInAPackage("io.fabric8.."))
          .as("only kube and lab should know the Kubernetes client")
          .because("objects of the cluster become views of model in kube: use those");
    }
  },
  /** Code that only passes the client on does not use it. */
  CLIENT_IS_ONLY_HANDED_OVER {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(handsOverTheClient(root))
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.fabric8..")
                  .and(resideInAPackage("io.fabric8.kubernetes.client..").negate()))
          .as("cli and process should make, hand over and close the client, nothing else")
          .because("what reads or writes objects of the cluster belongs into kube");
    }
  },
  /** The judge shares no code with the controller. */
  JUDGE_IS_INDEPENDENT {
    @Override
    ArchRule in(String root) {
      return noClasses()
          .that(
              resideInAnyPackage(root + ".judge..", root + ".lab.judge..")
                  .or(resideInAPackage(root + ".lab..").and(outermostNamed("Judge.*")))
                  .or(named(root + ".simulation.Expected")))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  root + ".service..",
                  root + ".node..",
                  root + ".pool..",
                  root + ".ratelimit..",
                  root + ".admission.."))
          .as("the judges of lab and simulator should not know how the controller decides")
          .because("a mistake would judge itself right: compute the expectation from the objects");
    }
  };

  private static final Set<String> PURE_ROOMS =
      Set.of(
          "model",
          "core",
          "retry",
          "pool",
          "service",
          "node",
          "ratelimit",
          "lock",
          "admission",
          "doctor",
          "access",
          "judge");

  /** The rule for a program with the outermost package {@code root}. */
  abstract ArchRule in(String root);

  private static DescribedPredicate<JavaClass> pure(String root) {
    String[] rooms =
        PURE_ROOMS.stream().map(room -> root + "." + room + "..").toArray(String[]::new);
    return resideInAnyPackage(rooms)
        .and(shell().negate())
        .or(resideInAPackage(root + "..").and(outermostNamed(".*Core")))
        .as("pure");
  }

  /** An actor with its messages, and the record of what it is given. */
  private static DescribedPredicate<JavaClass> shell() {
    return outermostNamed(".*(Actor|Deps)");
  }

  private static DescribedPredicate<JavaClass> port() {
    return DescribedPredicate.describe(
        "a port",
        type -> type.isTopLevelClass() && type.isInterface() && !type.reflect().isSealed());
  }

  /** The libraries with effects. */
  private static DescribedPredicate<JavaClass> effects() {
    return resideInAnyPackage(
        "com.azure..", "io.fabric8..", "org.slf4j..", "com.fasterxml.jackson..");
  }

  /** What rehearses the controller, the content of {@code poolkeeper-lab.jar}. */
  private static DescribedPredicate<JavaClass> lab(String root) {
    return resideInAnyPackage(
        Sources.rooms(Sources.REHEARSAL).stream()
            .map(room -> root + "." + room + "..")
            .toArray(String[]::new));
  }

  private static ArchCondition<JavaClass> beInitializedByWhatTheyInitialize() {
    return new ArchCondition<>("be initialized by what they initialize") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        initialized(type)
            .filter(other -> initialized(other).anyMatch(type::equals))
            .forEach(
                other ->
                    events.add(
                        SimpleConditionEvent.satisfied(
                            type, type.getName() + " and " + other.getName())));
      }
    };
  }

  /** The other types whose static fields, methods or constructors a static initializer needs. */
  private static Stream<JavaClass> initialized(JavaClass type) {
    return type.getStaticInitializer().stream()
        .flatMap(code -> code.getAccessesFromSelf().stream())
        .filter(access -> !access.isDeclaredInLambda())
        .map(access -> access.getTargetOwner())
        .filter(other -> !other.equals(type))
        .distinct();
  }

  private static DescribedPredicate<JavaClass> handsOverTheClient(String root) {
    return resideInAnyPackage(root + ".process..", root + ".cli..");
  }

  private static DescribedPredicate<JavaClass> named(String name) {
    return DescribedPredicate.describe(name, type -> outermost(type).getFullName().equals(name));
  }

  private static DescribedPredicate<JavaClass> outermostNamed(String pattern) {
    return DescribedPredicate.describe(
        "in a class named " + pattern, type -> outermost(type).getSimpleName().matches(pattern));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(Arrow::outermost).orElse(type);
  }
}
