package io.poolkeeper.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.net.URL;
import java.nio.file.Path;

/**
 * What a configuration includes: files beside it and no others, none by a URL or from the class
 * path, all together no larger than one may be. One that is missing is refused.
 */
final class Includes
    implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
  private final Path configuration;
  private long bytes;

  Includes(Path configuration) {
    this.configuration = configuration;
  }

  /** One that is not allowed, or cannot be read. */
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
