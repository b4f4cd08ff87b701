package io.poolkeeper.arm.azure;

import io.poolkeeper.arm.ArmException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
    return object(document, "error").map(ErrorBody::read);
  }

  private static ErrorBody read(Json error) {
    String code = text(error, "code");
    String message = text(error, "message");
    List<Json> details = error.objects(error.node().has("details") ? "details" : "Details");
    if (details.isEmpty()) {
      return new ErrorBody(code, message);
    }
    String detailCode = text(details.getFirst(), "code");
    String detail = (detailCode + " " + text(details.getFirst(), "message")).trim();
    String exact = refines(detailCode, code) ? detailCode : code;
    return new ErrorBody(exact, (message + " " + detail).trim());
  }

  private static boolean refines(String detail, String code) {
    return detail.toLowerCase(Locale.ROOT).startsWith(code.toLowerCase(Locale.ROOT));
  }

  private static Optional<Json> object(Json parent, String member) {
    return parent.object(member).or(() -> parent.object(pascal(member)));
  }

  private static String text(Json parent, String member) {
    return parent.text(member).or(() -> parent.text(pascal(member))).orElse("");
  }

  private static String pascal(String member) {
    return Character.toUpperCase(member.charAt(0)) + member.substring(1);
  }
}
