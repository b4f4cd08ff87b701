package io.poolkeeper.cli;

import io.poolkeeper.config.InvalidConfigException;
import io.poolkeeper.kube.KubeconfigException;
import io.poolkeeper.kube.NoLeaderException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line {@code poolkeeper COMMAND}. Exit code 0 is success, 1 a failure with one message
 * on stderr, 2 wrong usage with the usage on stderr, 141 (as of a process that SIGPIPE ends) that
 * not all of the answer could be written. Stack traces are printed with {@code -Dpoolkeeper.debug}
 * only.
 */
public final class Cli {
  private static final String DEBUG = "poolkeeper.debug";

  private static final int NOBODY_READS = 141;

  /** Commands in the lab's jar, for the message if it is missing. */
  private static final Set<String> NOT_SHIPPED =
      Set.of("lab", "arm-sim", "simulate", "verify-azure");

  private Cli() {}

  /** All commands: add a line here, or a provider in the lab's jar. */
  private static List<Object> commands(Map<String, String> env) {
    List<Object> commands = new ArrayList<>();
    commands.add(new RunCommand(env));
    commands.add(new StatusCommand(env));
    commands.add(new PageCommand());
    commands.add(new ExplainCommand(env));
    commands.add(new PlanCommand(env));
    commands.add(new ShadowCommand(env));
    commands.add(new DoctorCommand(env));
    commands.add(new PauseCommand());
    commands.add(new ResumeCommand());
    commands.add(new BundleCommand());
    ServiceLoader.load(CommandProvider.class)
        .forEach(provider -> commands.add(provider.command(env)));
    commands.add(new CheckCommand(env));
    commands.add(new RoleDefinitionCommand(env));
    commands.add(new UninstallCommand(env));
    commands.add(new Version());
    return commands;
  }

  /** Runs the command in the arguments and returns the exit code. */
  public static int run(
      List<String> arguments, PrintWriter out, PrintWriter err, Map<String, String> env) {
    var line = new CommandLine(new Root());
    commands(env).forEach(line::addSubcommand);
    var completion = new CommandLine(new AutoComplete.GenerateCompletion());
    completion
        .getCommandSpec()
        .name("completion")
        .usageMessage()
        .description("Prints a script for bash and zsh:", "  source <(./poolkeeper completion)");
    line.addSubcommand("completion", completion);
    line.setOut(out);
    line.setErr(err);
    if (!arguments.isEmpty() && missing(arguments.getFirst(), line)) {
      err.println(
          "lab, arm-sim, simulate and verify-azure are not in the controller's image: they are in"
              + " its target lab (docker build --target lab), and in ./poolkeeper of a checkout");
      return line.getCommandSpec().exitCodeOnInvalidInput();
    }
    line.setParameterExceptionHandler((wrong, given) -> usage(wrong));
    line.setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
    int code = line.execute(arguments.toArray(String[]::new));
    return code == 0 && out.checkError() ? NOBODY_READS : code;
  }

  private static boolean missing(String command, CommandLine line) {
    return NOT_SHIPPED.contains(command) && !line.getSubcommands().containsKey(command);
  }

  private static int usage(ParameterException wrong) {
    var command = wrong.getCommandLine();
    command.getErr().println(wrong.getMessage());
    UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
    command.usage(command.getErr());
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static int report(Exception failure, CommandLine command) {
    var err = command.getErr();
    if (Boolean.getBoolean(DEBUG) || "".equals(System.getProperty(DEBUG))) {
      failure.printStackTrace(err);
    } else {
      err.println(PrintableText.of(message(failure)));
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  static String message(Exception failure) {
    var message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case CommandFailure expected -> message;
      case InvalidConfigException expected -> message;
      case KubeconfigException expected -> message;
      case NoLeaderException expected -> message;
      // A bug: print it, and how to see the stack trace.
      default ->
          "unexpected %s: %s (POOLKEEPER_JAVA_OPTS=-D%s shows where)"
              .formatted(failure.getClass().getSimpleName(), message, DEBUG);
    };
  }

  @Command(
      name = "poolkeeper",
      description =
          "Keeps the backend pools of Azure Standard Load Balancers in step with a Kubernetes"
              + " cluster.",
      synopsisSubcommandLabel = "COMMAND",
      footer = {"", "Example:", "  poolkeeper check --config conf/poolkeeper.conf"})
  private static final class Root extends CliCommand implements Runnable {
    @Override
    public void run() {
      throw new ParameterException(spec().commandLine(), "Missing command");
    }
  }
}
