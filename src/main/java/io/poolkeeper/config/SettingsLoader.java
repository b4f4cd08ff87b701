package io.poolkeeper.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
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
  private static final List<Map.Entry<String, Settings.Mode>> MODES =
      List.of(Map.entry("write", Settings.Mode.WRITE), Map.entry("shadow", Settings.Mode.SHADOW));

  private static final Duration MIN_INTERVAL = Duration.ofMillis(100);
  private static final Duration MAX_INTERVAL = Duration.ofHours(1);
  private static final Duration MAX_VERIFY = Duration.ofHours(2);
  private static final Duration MIN_RESYNC = Duration.ofSeconds(10);
  private static final Duration MAX_RESYNC = Duration.ofHours(24);

  private static final Duration MAX_LEASE = Duration.ofMinutes(10);
  private static final Pattern OBJECT_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  /** The meaning of {@code max-retries = null}, as in the cloud provider's configuration. */
  private static final int DEFAULT_MAX_RETRIES = 3;

  /** The same bound as {@code PoolLimits.MOST_RETRIES}; a test compares. */
  static final int MOST_RETRIES = 100;

  private final Path file;
  private final Map<String, String> env;
  private final List<Problem> problems = new ArrayList<>();
  private final HoconFile hocon;

  private SettingsLoader(Path file, Map<String, String> env) {
    this.file = file;
    this.env = env;
    this.hocon = new HoconFile(file, env, problems);
  }

  /**
   * Loads and validates.
   *
   * @param azureConfig an azure.json to read instead of the one that the file names, relative to
   *     the working directory
   * @param env the environment variables
   * @throws InvalidConfigException with all problems
   */
  public static LoadedSettings load(
      Path configFile, Optional<Path> azureConfig, Map<String, String> env) {
    return new SettingsLoader(configFile, env).load(azureConfig);
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
    var bare = user.flatMap(parsed -> hocon.resolve(parsed.withFallback(reference)));
    int before = problems.size();
    var azureJson =
        azureConfig
            .map(Path::toAbsolutePath)
            .or(() -> bare.flatMap(this::azureConfigFile))
            .map(path -> AzureJson.read(path, env, problems))
            .orElse(ConfigFactory.empty());
    boolean azureJsonSound = problems.size() == before;
    if (user.isEmpty() || bare.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    var layers = user.get().withFallback(azureJson).withFallback(reference);
    var whole = hocon.resolve(layers).orElseThrow(() -> new InvalidConfigException(problems));
    var checked = new KeyCheck(reference, problems).check(whole);
    var values = new Values(checked, file.toString(), problems);
    var settings = settings(values, azureJsonSound);
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    var pekko = checked.hasPath("pekko") ? checked.withOnlyPath("pekko") : ConfigFactory.empty();
    return new LoadedSettings(settings, values.effective(), pekko);
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

  private Optional<Path> azureConfigFile(Config bare) {
    if (!bare.hasPath(CONFIG_FILE)
        || bare.getValue(CONFIG_FILE).valueType() != ConfigValueType.STRING) {
      return Optional.empty(); // A wrong type is reported when the key is read.
    }
    try {
      return Optional.of(bare.getString(CONFIG_FILE))
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
    var clusterName =
        values.required("cluster-name", AzureSection.NAME, AzureSection.NAME_IN_WORDS);
    var azure = new AzureSection(values, file.toAbsolutePath(), azureJsonSound, env).read();
    var nodes = new AdminStateSection(values);
    return new Settings(
        clusterName,
        values.oneOf("mode", MODES, Settings.Mode.WRITE),
        values.flag("opt-in"),
        azure,
        updater(values),
        nodes.read(),
        nodes.readSpot(),
        brake(values),
        new TurnstileSection(values).read(),
        new LockSection(values).read(),
        leaderElection(values),
        new AdmissionSection(values, azure.subscriptionId()).read(),
        new HttpSection(values, file.toAbsolutePath(), env).read());
  }

  private static Settings.Updater updater(Values values) {
    var enabled = values.flag("updater.enabled");
    var interval = values.duration("updater.interval", MIN_INTERVAL, MAX_INTERVAL);
    return new Settings.Updater(
        enabled,
        interval,
        values.duration("updater.min-interval", MIN_INTERVAL, MAX_INTERVAL),
        values.duration("updater.verify-after", Duration.ZERO, MAX_VERIFY),
        values.flag("updater.leading-edge"),
        values.duration(
            "updater.coalesce-window", Duration.ZERO, interval, "the value of updater.interval"),
        values.count("updater.max-retries", DEFAULT_MAX_RETRIES, MOST_RETRIES),
        values.duration("updater.resync", MIN_RESYNC, MAX_RESYNC));
  }

  /** The same bounds as in {@code Brake}. */
  private static Settings.Brake brake(Values values) {
    return new Settings.Brake(
        values.thousandths("brake.max-removal", 1),
        values.integer("brake.min-entries", 1, 5_000),
        values.duration("brake.delay", Duration.ZERO, Duration.ofHours(1)));
  }

  /** The bounds leave time for a write on its way, and for more than one try. */
  private static Settings.LeaderElection leaderElection(Values values) {
    var allowed = "a name of the cluster: lower-case letters, digits and dashes";
    var lease = values.duration("leader-election.lease-duration", Duration.ofSeconds(2), MAX_LEASE);
    var renew =
        values.duration(
            "leader-election.renew-deadline",
            Duration.ofSeconds(1),
            lease.multipliedBy(4).dividedBy(5),
            "four fifths of leader-election.lease-duration");
    return new Settings.LeaderElection(
        values.flag("leader-election.enabled"),
        values.required("leader-election.name", OBJECT_NAME, allowed),
        values.matching("leader-election.namespace", OBJECT_NAME, allowed),
        lease,
        renew,
        values.duration(
            "leader-election.retry-period",
            MIN_INTERVAL,
            renew.dividedBy(3),
            "a third of leader-election.renew-deadline"));
  }
}
