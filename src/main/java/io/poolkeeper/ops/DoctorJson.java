package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.poolkeeper.doctor.Examination;
import java.util.List;

/**
 * The answer of {@code /api/v1/doctor}; the names of its members are a contract.
 *
 * @param identity whose rights were tested
 * @param pod where it was tested
 * @param mode {@code write} or {@code shadow}
 */
@JsonPropertyOrder({"now", "identity", "pod", "mode", "findings"})
public record DoctorJson(
    String now, Identity identity, String pod, String mode, List<Finding> findings) {
  /** In words. */
  @JsonPropertyOrder({"azure", "kubernetes"})
  public record Identity(String azure, String kubernetes) {}

  /**
   * One check.
   *
   * @param verdict {@code ok}, {@code warn}, {@code fail}, {@code not known} or {@code not tested}
   * @param fix lines; empty if nothing is to be done
   */
  @JsonPropertyOrder({"check", "verdict", "detail", "fix"})
  public record Finding(String check, String verdict, String detail, String fix) {}

  public static DoctorJson of(Examination examination, String pod, boolean shadow) {
    return new DoctorJson(
        examination.now().toString(),
        new Identity(examination.azure(), examination.kubernetes()),
        pod,
        shadow ? "shadow" : "write",
        examination.findings().stream()
            .map(of -> new Finding(of.check(), of.verdict().toString(), of.detail(), of.fix()))
            .toList());
  }
}
