package io.poolkeeper.ops;

import io.poolkeeper.doctor.Examination;

/** The answer of {@code /api/v1/doctor}. */
public final class DoctorJson {
  private DoctorJson() {}

  /**
   * The findings, and whose rights were tested.
   *
   * @param pod the place of the test
   */
  public static JsonObject of(Examination examination, String pod, boolean shadow) {
    return JsonObject.of("now", examination.now().toString())
        .and(
            "identity",
            JsonObject.of("azure", examination.azure()).and("kubernetes", examination.kubernetes()))
        .and("pod", pod)
        .and("mode", shadow ? "shadow" : "write")
        .and("findings", examination.findings());
  }
}
