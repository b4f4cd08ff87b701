package io.poolkeeper.arm.azure;

import com.azure.core.management.exception.ManagementError;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import io.poolkeeper.arm.ArmException;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What ARM says about an error: {@code {"error": {code, message, details: [{code, message}]}}},
 * which some services write in Pascal case.
 *
 * @param code the first detail's code where that only says the same more exactly ({@code Canceled}
 *     and {@code CanceledAndSupersededDueToAnotherOperation}), else the error's own, so that {@code
 *     RetryableError} stays visible whatever its detail is; empty if there is none
 * @param message the error's message, followed by its first detail
 */
record ErrorBody(String code, String message) {

  /** Of an answer with an error status; whatever cannot be read is described instead. */
  static ErrorBody of(Answer answer) {
    String plain = "answered with %s".formatted(answer.contentType());
    try {
      return of(Json.of(answer)).orElse(new ErrorBody("", plain));
    } catch (ArmException unreadable) {
      return new ErrorBody("", plain);
    }
  }

  /** Of a document that may have an error in it. */
  static Optional<ErrorBody> of(Json document) {
    // The library knows the members of an error in any case, but not the error itself.
    return document.object("error").or(() -> document.object("Error")).map(ErrorBody::read);
  }

  private static ErrorBody read(Json found) {
    ManagementError error;
    try (JsonReader reader = JsonProviders.createReader(Json.bytes(found.node()))) {
      error = ManagementError.fromJson(reader);
    } catch (IOException | IllegalStateException e) {
      throw Json.malformed("the error is of another shape: " + e.getMessage());
    }
    String code = text(error.getCode());
    String message = text(error.getMessage());
    if (error.getDetails() == null || error.getDetails().isEmpty()) {
      return new ErrorBody(code, message);
    }
    ManagementError first = error.getDetails().getFirst();
    String detailCode = text(first.getCode());
    String detail = (detailCode + " " + text(first.getMessage())).trim();
    String exact = refines(detailCode, code) ? detailCode : code;
    return new ErrorBody(exact, (message + " " + detail).trim());
  }

  private static boolean refines(String detail, String code) {
    return detail.toLowerCase(Locale.ROOT).startsWith(code.toLowerCase(Locale.ROOT));
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
