package io.poolkeeper.arm.azure;

import com.azure.core.management.exception.AdditionalInfo;
import com.azure.core.management.exception.ManagementError;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.AzureError;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What ARM says about an error: {@code {"error": {code, message, details: [{code, message}]}}},
 * which some services write in Pascal case.
 *
 * @param code the one of its codes that counts, as {@link AzureError#decisive} says; empty if there
 *     is none
 * @param message the error's message, followed by the policy that it names and its details
 */
record ErrorBody(String code, String message) {
  private static final int MAX_PARTS = 20;

  /** The error in an answer; if it cannot be read, a description of the answer. */
  static ErrorBody of(Answer answer) {
    String plain = "answered with %s".formatted(answer.contentType());
    try {
      return of(Json.of(answer), answer.status()).orElse(new ErrorBody("", plain));
    } catch (ArmException unreadable) {
      return new ErrorBody("", plain);
    }
  }

  /** The error in a document, if it has one; the status is 0 if the document is an operation. */
  static Optional<ErrorBody> of(Json document, int status) {
    // The library knows the members of an error in any case, but not the error itself.
    return document
        .object("error")
        .or(() -> document.object("Error"))
        .map(found -> read(found, status));
  }

  private static ErrorBody read(Json found, int status) {
    ManagementError error;
    try (JsonReader reader = JsonProviders.createReader(Json.bytes(found.node()))) {
      error = ManagementError.fromJson(reader);
    } catch (IOException | IllegalStateException e) {
      throw Json.malformed("the error is of another shape: " + e.getMessage());
    }
    List<ManagementError> details = listed(error.getDetails());
    List<String> codes =
        details.stream()
            .map(detail -> text(detail.getCode()))
            .filter(code -> !code.isBlank())
            .toList();
    Stream<String> policies =
        Stream.concat(Stream.of(error), details.stream())
            .flatMap(part -> listed(part.getAdditionalInfo()).stream())
            .flatMap(ErrorBody::policyAssignment)
            .distinct()
            // In marks that no name has, for AzureError.named.
            .map(name -> "(policy assignment <%s>)".formatted(name.replaceAll("[<>]", "")));
    String message =
        Stream.concat(
                Stream.concat(Stream.of(text(error.getMessage())), policies),
                details.stream()
                    .map(detail -> text(detail.getCode()) + " " + text(detail.getMessage())))
            .map(String::strip)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return new ErrorBody(AzureError.decisive(status, text(error.getCode()), codes), message);
  }

  private static Stream<String> policyAssignment(AdditionalInfo info) {
    return info.getInfo() instanceof Map<?, ?> violation
        ? Stream.of("policyAssignmentDisplayName", "policyAssignmentName")
            .map(violation::get)
            .filter(String.class::isInstance)
            .map(String.class::cast)
            .filter(name -> !name.isBlank())
            .limit(1)
        : Stream.of();
  }

  /** At most so many as one line can show. */
  private static <T> List<T> listed(@Nullable List<? extends T> parts) {
    return parts == null
        ? List.of()
        : parts.stream().filter(Objects::nonNull).<T>map(part -> part).limit(MAX_PARTS).toList();
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
