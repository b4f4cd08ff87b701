package io.poolkeeper.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigResolver;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.io.File;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses the user's file and resolves substitutions. Errors become problems. */
record HoconFile(Path file, Map<String, String> env, List<Problem> problems) {
  private static final String OWN_PREFIX = "POOLKEEPER_";

  /** The file with unresolved substitutions; empty if there is a problem with it. */
  Optional<Config> parse() {
    var objection = InputFile.objection(file);
    if (objection.isPresent()) {
      problems.add(
          new Problem(file.toString(), "", objection.get(), "a HOCON file of at most 1 MiB"));
      return Optional.empty();
    }
    try {
      var options =
          ConfigParseOptions.defaults()
              .setSyntax(ConfigSyntax.CONF)
              .setIncluder(new Includes(file));
      return Optional.of(ConfigFactory.parseFile(file.toFile(), options.setAllowMissing(false)));
    } catch (Includes.Refused e) {
      var allowed = "the name of a file beside this one, 1 MiB in all";
      problems.add(new Problem(file.toString(), "", String.valueOf(e.getMessage()), allowed));
      return Optional.empty();
    } catch (ConfigException e) {
      report(e, "text that is not HOCON", "HOCON, see conf/poolkeeper.conf");
      return Optional.empty();
    }
  }

  /** The layers with all substitutions resolved; empty if one cannot be. */
  Optional<Config> resolve(Config layers) {
    try {
      var options = ConfigResolveOptions.noSystem().appendResolver(new Environment(env));
      return Optional.of(layers.resolve(options));
    } catch (ConfigException e) {
      report(
          e,
          "a substitution that cannot be filled in",
          "${key} of a key or environment variable that is set, or ${?key}");
      return Optional.empty();
    }
  }

  private void report(ConfigException e, String found, String allowed) {
    var origin = e.origin();
    var message = String.valueOf(e.getMessage());
    if (origin == null) {
      var detail = Secrets.detail(message, file, 0);
      problems.add(new Problem(file.toString(), "", found + detail, allowed));
      return;
    }
    var prefix = origin.description() + ": ";
    var bare = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    var source = origin.filename() == null ? file : Path.of(origin.filename());
    var detail = Secrets.detail(bare, source, origin.lineNumber());
    problems.add(new Problem(Origins.describe(origin), "", found + detail, allowed));
  }

  /** Environment variables for substitutions; an empty {@code POOLKEEPER_*} counts as unset. */
  private record Environment(Map<String, String> env) implements ConfigResolver {
    @Override
    @SuppressWarnings("NullAway") // The library's contract: null for an unset variable.
    public @Nullable ConfigValue lookup(String path) {
      var value = env.get(path);
      if (value == null || (value.isEmpty() && path.startsWith(OWN_PREFIX))) {
        return null;
      }
      return ConfigValueFactory.fromAnyRef(value, "env " + path);
    }

    @Override
    public ConfigResolver withFallback(ConfigResolver fallback) {
      return this;
    }
  }

  /**
   * The includes of a configuration: files beside it only, none by a URL or from the class path,
   * together no larger than one file may be. A missing one is refused.
   */
  private static final class Includes
      implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    private final Path configuration;
    private long bytes;

    Includes(Path configuration) {
      this.configuration = configuration;
    }

    /** An include that is not allowed, or that cannot be read. */
    static final class Refused extends RuntimeException {
      private static final long serialVersionUID = 1L;

      Refused(String name, String found) {
        super("include \"%s\", %s".formatted(name, found));
      }
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String name) {
      return file(context, name);
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File file) {
      return file(context, file.getPath());
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL url) {
      throw new Refused(url.toString(), "a URL");
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String name) {
      throw new Refused(name, "a resource of the class path");
    }

    private ConfigObject file(ConfigIncludeContext context, String name) {
      if (!new File(name).getName().equals(name) || name.equals("..")) {
        throw new Refused(name, "a file elsewhere");
      }
      Path file = configuration.resolveSibling(name);
      InputFile.objection(file)
          .ifPresent(
              found -> {
                throw new Refused(name, found);
              });
      bytes += file.toFile().length();
      if (bytes > InputFile.MAX_BYTES) {
        throw new Refused(name, "%d bytes with those before it".formatted(bytes));
      }
      return ConfigFactory.parseFile(file.toFile(), context.parseOptions()).root();
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
      return this;
    }
  }
}
