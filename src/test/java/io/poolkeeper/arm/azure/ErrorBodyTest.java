package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import io.poolkeeper.model.AzureError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorBodyTest {
  private static ErrorBody read(String body) {
    return ErrorBody.of(new Answer(400, new HttpHeaders(), BinaryData.fromString(body)));
  }

  @ParameterizedTest
  @CsvSource({
    "PreconditionFailed,PreconditionFailedEtagMismatch,PreconditionFailedEtagMismatch",
    "Canceled,CanceledAndSupersededDueToAnotherOperation,CanceledAndSupersededDueToAnotherOperation",
    "RetryableError,GatewayError,GatewayError",
    "InvalidRequestFormat,DuplicateResourceName,InvalidRequestFormat",
    "'',NotFound,NotFound"
  })
  void code_withADetail_isTheDetailsOnlyIfThatIsTheSameMoreExactly(
      String code, String detail, String expected) {
    ErrorBody error =
        read(
            "{\"error\":{\"code\":\"%s\",\"message\":\"A.\",\"details\":[{\"code\":\"%s\"}]}}"
                .formatted(code, detail));

    assertThat(error.code()).isEqualTo(expected);
    assertThat(error.message()).isEqualTo("A. " + detail);
  }

  @Test
  void of_pascalCase_isUnderstood() {
    ErrorBody error =
        read(
            """
            {"Error":{"Code":"C","Message":"M.","Details":[{"Code":"Cx","Message":"N."}]}}""");

    assertThat(error).isEqualTo(new ErrorBody("Cx", "M. Cx N."));
  }

  @Test
  void of_severalDetails_allAreLookedAt() {
    ErrorBody error =
        read(
            """
            {"Error":{"Code":"RetryableError","Message":"M.","Details":[null,{"Code":"A","Message":"1."},
            {"Code":"RetryableErrorDueToTooManyCalls","Message":"2."}]}}""");

    assertThat(error.message()).isEqualTo("M. A 1. RetryableErrorDueToTooManyCalls 2.");
  }

  @Test
  void of_policyThatIsNamedBesideTheMessage_namesItInTheMessage() {
    ErrorBody error =
        read(
            """
            {"error":{"code":"RequestDisallowedByPolicy","message":"No pools here.","additionalInfo":[
            {"type":"PolicyViolation","info":{"policyAssignmentName":"a1","policyAssignmentDisplayName":"<Interdire> l'accès public"}},
            {"type":"Other","info":3},{"info":{"policyAssignmentName":7}}]}}""");

    assertThat(error.message())
        .isEqualTo("No pools here. (policy assignment <Interdire l'accès public>)");
    assertThat(AzureError.DISALLOWED_BY_POLICY.named(error.message()))
        .isEqualTo("Interdire l'accès public");
  }

  @Test
  void line_longTextWithSignedUrl_isShortAndUnsigned() {
    String line =
        Failures.line("see\r\n https://arm.example/op?s=secret&h=x now " + "x".repeat(1_000));

    assertThat(line).startsWith("see https://arm.example/op now x").hasSize(900);
  }

  /** As Azure writes it for names as long as AKS makes them: its end names what to do. */
  @Test
  void line_aLinkedRight_keepsItsScope() {
    String at =
        "/subscriptions/%s/resourceGroups/MC_%s/providers/Microsoft.Network"
            .formatted("0".repeat(36), "g".repeat(77));
    String text =
        "The client '%1$s' with object id '%1$s' has permission to perform action"
                .formatted("0".repeat(36))
            + " 'Microsoft.Network/loadBalancers/backendAddressPools/write' on scope '"
            + at
            + "/loadBalancers/kubernetes/backendAddressPools/shop-web'; however, it does not have"
            + " permission to perform action(s)"
            + " 'Microsoft.Network/virtualNetworks/joinLoadBalancer/action' on the linked scope(s)"
            + " '"
            + at
            + "/virtualNetworks/aks-vnet-12345678' (respectively) or the linked scope(s) are"
            + " invalid.";

    assertThat(Failures.line(text)).isEqualTo(text).hasSizeGreaterThan(735);
  }
}
