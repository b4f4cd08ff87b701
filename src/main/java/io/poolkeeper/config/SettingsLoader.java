package io.poolkeeper.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import io.poolkeeper.model.Range;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Loads the layers of the configuration: the user's file over the cloud provider's azure.json over
 * {@code reference.conf}, which takes some values from the environment. Returns the settings, or
 * fails with all problems at once.
 */
public final class SettingsLoader {
  private static final String CONFIG_FILE = Values.ROOT + ".azure.config-file";
  private static final String LOG_LEVEL = "POOLKEEPER_LOG_LEVEL";
  private static final String LOG_FORMAT = "POOLKEEPER_LOG_FORMAT";
  private static final Set<String> LOG_FORMATS = Set.of("text", "json");
  private static final Set<String> LOG_LEVELS =
      Set.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE");
  private static final Pattern MODE = Pattern.compile("(?i)write|shadow");
  private static final String MODE_IN_WORDS =
      "write (pools are written) or shadow (all is decided and shown, and nothing is written); here,"
          + " or as POOLKEEPER_MODE in the environment";

  private static final Range<Duration> MAX_RETRY_AFTER =
      new Range<>(Duration.ofSeconds(1), Duration.ofHours(24));

  /** The bounds leave time for a write on its way, and for more than one try. */
  private static final Range<Duration> LEASE =
      new Range<>(Duration.ofSeconds(2), Duration.ofMinutes(10));

  private static final Pattern OBJECT_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private final Path file;
  private final Map<String, String> env;
  private final boolean unsetIsWrite;
  private final List<Problem> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final HoconFile hocon;

  private SettingsLoader(Path file, Map<String, String> env, boolean unsetIsWrite) {
    this.file = file;
    this.env = env;
    this.unsetIsWrite = unsetIsWrite;
    this.hocon = new HoconFile(file, env, problems);
  }

  /**
   * Loads and validates, for the controller: a mode that is not set is a problem, as either default
   * would surprise somebody.
   *
   * @param azureConfig an azure.json to read instead of the one that the file names, relative to
   *     the working directory
   * @param env the environment variables
   * @throws InvalidConfigException with all problems
   */
  public static LoadedSettings load(
      Path configFile, Optional<Path> azureConfig, Map<String, String> env) {
    return new SettingsLoader(configFile, env, false).load(azureConfig);
  }

  /** The same for a command that runs no controller: a mode that is not set is write. */
  public static Settings loadForCommand(
      Path configFile, Optional<Path> azureConfig, Map<String, String> env) {
    return new SettingsLoader(configFile, env, true).load(azureConfig).settings();
  }

  /** The section {@code poolkeeper} of the defaults, with unresolved substitutions. */
  static Config reference() {
    // The libraries' reference.conf files are merged in: keep only our section.
    return ConfigFactory.parseResources(
            SettingsLoader.class.getClassLoader(),
            "reference.conf",
            ConfigParseOptions.defaults().setAllowMissing(false))
        .withOnlyPath(Values.ROOT);
  }

  private LoadedSettings load(Optional<Path> azureConfig) {
    checkLog();
    var reference = hocon.resolve(reference()).orElseThrow();
    var user = hocon.parse().map(parsed -> withOption(parsed, azureConfig));
    // Twice, because the user's file and the defaults name the file of the layer between them.
    var withoutAzureJson = user.flatMap(parsed -> hocon.resolve(parsed.withFallback(reference)));
    int problemsBefore = problems.size();
    var azureJson =
        azureConfig
            .map(Path::toAbsolutePath)
            .or(() -> withoutAzureJson.flatMap(this::azureConfigFile))
            .map(
                path ->
                    AzureJson.read(
                        path, env, withoutAzureJson.orElse(reference), problems, warnings))
            .orElse(ConfigFactory.empty());
    boolean azureJsonSound = problems.size() == problemsBefore;
    if (user.isEmpty() || withoutAzureJson.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    var layers = user.get().withFallback(azureJson).withFallback(reference);
    var resolved = hocon.resolve(layers).orElseThrow(() -> new InvalidConfigException(problems));
    var checked = new KeyCheck(reference, problems).check(resolved);
    var values = new Values(checked, file, problems);
    var settings = settings(values, azureJsonSound);
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    var pekko = checked.hasPath("pekko") ? checked.withOnlyPath("pekko") : ConfigFactory.empty();
    return new LoadedSettings(settings, values.effective(), pekko, warnings);
  }

  private static Config withOption(Config user, Optional<Path> azureConfig) {
    return azureConfig
        .map(
            path ->
                ConfigValueFactory.fromAnyRef(
                    path.toAbsolutePath().toString(), "option --azure-config"))
        .map(value -> value.atPath(CONFIG_FILE).withFallback(user))
        .orElse(user);
  }

  private Optional<Path> azureConfigFile(Config config) {
    if (!config.hasPath(CONFIG_FILE)
        || config.getValue(CONFIG_FILE).valueType() != ConfigValueType.STRING) {
      return Optional.empty(); // A wrong type is reported when the key is read.
    }
    try {
      return Optional.of(config.getString(CONFIG_FILE))
          .filter(path -> !path.isBlank())
          .map(file.toAbsolutePath()::resolveSibling);
    } catch (InvalidPathException e) {
      problems.add(new Problem(file.toString(), CONFIG_FILE, "no path", "the path of a file"));
      return Optional.empty();
    }
  }

  /** Logback itself falls silent at a format that it does not know. */
  private void checkLog() {
    var format = env.getOrDefault(LOG_FORMAT, "");
    if (!format.isEmpty() && !LOG_FORMATS.contains(format)) {
      problems.add(new Problem("env " + LOG_FORMAT, "", format, "text or json"));
    }
    var level = env.getOrDefault(LOG_LEVEL, "");
    if (!level.isEmpty() && !LOG_LEVELS.contains(level.toUpperCase(Locale.ROOT))) {
      problems.add(
          new Problem("env " + LOG_LEVEL, "", level, "OFF, ERROR, WARN, INFO, DEBUG or TRACE"));
    }
  }

  private Settings settings(Values values, boolean azureJsonSound) {
    var mode = mode(values);
    var clusterName =
        values.required("cluster-name", AzureSection.NAME, AzureSection.NAME_IN_WORDS);
    var azure = new AzureSection(values, azureJsonSound, env).read();
    boolean optIn = values.flag("opt-in");
    var section = new PoolSection(values, mode == Settings.Mode.SHADOW, optIn);
    return new Settings(
        clusterName,
        mode,
        optIn,
        azure,
        section.enabled,
        section.pools,
        section.spot,
        section.nodes,
        new RateLimiterSection(values).read(section.pools),
        values.duration("turnstile.max-retry-after", MAX_RETRY_AFTER),
        new LockSection(values).read(),
        leaderElection(values),
        new AdmissionSection(values, azure.subscriptionId()).read(),
        new HttpSection(values, env).read());
  }

  private Settings.Mode mode(Values values) {
    var word = values.matching("mode", MODE, MODE_IN_WORDS);
    if (word.isEmpty() && !unsetIsWrite) {
      values.reject("mode", "nothing", MODE_IN_WORDS);
    }
    return word.filter("shadow"::equalsIgnoreCase).isPresent()
        ? Settings.Mode.SHADOW
        : Settings.Mode.WRITE;
  }

  private static Settings.LeaderElection leaderElection(Values values) {
    var allowed = "a name of the cluster: lower-case letters, digits and dashes";
    var lease = values.duration("leader-election.lease-duration", LEASE);
    var renew =
        values.duration(
            "leader-election.renew-deadline",
            new Range<>(Duration.ofSeconds(1), lease.multipliedBy(4).dividedBy(5)),
            "four fifths of leader-election.lease-duration");
    return new Settings.LeaderElection(
        values.flag("leader-election.enabled"),
        values.required("leader-election.name", OBJECT_NAME, allowed),
        values.matching("leader-election.namespace", OBJECT_NAME, allowed),
        lease,
        renew,
        values.duration(
            "leader-election.retry-period",
            new Range<>(Duration.ofMillis(100), renew.dividedBy(3)),
            "a third of leader-election.renew-deadline"));
  }
}
