package io.poolkeeper.config;

import com.typesafe.config.Config;
import java.util.List;

/**
 * Settings with their origins.
 *
 * @param effective every key of {@code reference.conf} in reading order, secrets masked
 * @param pekko the user's section {@code pekko}, which overrides {@code application.conf}
 */
public record LoadedSettings(Settings settings, List<Effective> effective, Config pekko) {
  public LoadedSettings {
    effective = List.copyOf(effective);
  }

  /** Settings that are allowed, but may not be intended. */
  public List<String> warnings() {
    return settings.azure().vnetId().isPresent()
        ? List.of()
        : List.of(
            "poolkeeper.azure.vnet-id is not set: no address is added to a pool that names no"
                + " virtual network, nor has an entry that does");
  }

  /**
   * The value of one key.
   *
   * @param value in HOCON, so that a line of {@link #toString} can be loaded again
   * @param origin {@code FILE:LINE}, {@code FILE: key} for azure.json, {@code env NAME}, {@code
   *     option NAME}, {@code default}
   */
  public record Effective(String path, String value, String origin) {
    @Override
    public String toString() {
      return "%s = %s  # %s".formatted(path, value, origin);
    }
  }
}
