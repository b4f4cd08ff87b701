package io.poolkeeper.armsim.protocol;

import java.util.Optional;
import java.util.regex.Pattern;

/** The {@code api-version} of a call. All versions that are served share one model. */
public final class ApiVersion {
  /** The first version of the network provider whose pools have today's admin state. */
  private static final String FIRST = "2022-11-01";

  private static final Pattern FORM = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(?:-preview)?");

  private ApiVersion() {}

  /** The refusal of a version that is missing, malformed or, at the provider, too old. */
  public static Optional<ArmAnswer> refusal(Optional<String> version, ArmPath path) {
    if (version.isEmpty()) {
      return Optional.of(ArmError.MISSING_API_VERSION.answer());
    }
    String given = version.get();
    if (!FORM.matcher(given).matches()) {
      return Optional.of(ArmError.INVALID_API_VERSION.answer(given));
    }
    // Other providers have other versions.
    return path.ofBalancers() && given.compareTo(FIRST) < 0
        ? Optional.of(ArmError.UNSUPPORTED_API_VERSION.answer(given, FIRST))
        : Optional.empty();
  }
}
