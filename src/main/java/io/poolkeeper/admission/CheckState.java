package io.poolkeeper.admission;

import java.util.Arrays;
import java.util.Optional;

/** What a check has answered; the order is from the least to the most restrictive. */
public enum CheckState {
  /** Writes may go, as far as this check is concerned. */
  READY("Ready"),
  /** It has been asked and has not answered. */
  PENDING("Pending"),
  /** Not now: ask again after a delay of the check's own choice. */
  RETRY("Retry"),
  /** No, until the check itself or the spec changes. */
  REJECTED("Rejected");

  private final String text;

  CheckState(String text) {
    this.text = text;
  }

  /** Empty for a word that the API does not know. */
  public static Optional<CheckState> parse(String text) {
    return Arrays.stream(values()).filter(state -> state.text.equals(text)).findFirst();
  }

  /** As in the API. */
  @Override
  public String toString() {
    return text;
  }
}
