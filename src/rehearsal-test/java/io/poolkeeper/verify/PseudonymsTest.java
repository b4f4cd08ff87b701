package io.poolkeeper.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PseudonymsTest {
  private static final String A = "5c1b0a52-7f9c-4f0e-9d55-0d9b8f6f2a11";
  private static final String B = "6c1b0a52-7f9c-4f0e-9d55-0d9b8f6f2a11";
  private final Pseudonyms names = new Pseudonyms("Team-(ö)");

  @Test
  void of_ids_areNumberedAndTheSameEverywhere() {
    assertThat(names.of("%s W/\\\"%s\\\" %s".formatted(A, B, A.toUpperCase(java.util.Locale.ROOT))))
        .isEqualTo(
            "00000000-0000-0000-0000-000000000001"
                + " W/\\\"00000000-0000-0000-0000-000000000002\\\""
                + " 00000000-0000-0000-0000-000000000001");
    assertThat(names.of(B)).isEqualTo("00000000-0000-0000-0000-000000000002");
  }

  @Test
  void of_theGroup_isReplacedInPathsAndMessages_inAnyCase() {
    assertThat(names.of("/resourceGroups/Team-(ö)/providers /RESOURCEGROUPS/team-(Ö)\""))
        .isEqualTo("/resourceGroups/scratch/providers /RESOURCEGROUPS/scratch\"");
    assertThat(names.of("/resourceGroups/Team-(%C3%B6)?x")).isEqualTo("/resourceGroups/scratch?x");
    assertThat(names.of("under resource group 'Team-(ö)' was"))
        .isEqualTo("under resource group 'scratch' was");
    assertThat(names.of("{\"name\" : \"Team-(ö)\"}")).isEqualTo("{\"name\" : \"scratch\"}");
  }

  @Test
  void of_whatElseTheUserHas_isOther() {
    assertThat(names.of("\"/resourceGroups/Team-(ö)-2/providers/N/ddosPlans/firm\""))
        .isEqualTo("\"/resourceGroups/other/providers/N/ddosPlans/other\"");
    assertThat(names.of("/resourceGroups/Team-(ö)/providers/N/nsgs/firm/rules/r"))
        .isEqualTo("/resourceGroups/scratch/providers/N/nsgs/other/rules/r");
    String own = "/resourceGroups/scratch/providers/N/lbs/poolkeeper-verify-1-lb/pools/free";
    assertThat(names.of(own)).isEqualTo(own);
    String permissions = "/resourceGroups/scratch/providers/Microsoft.Authorization/permissions?x";
    assertThat(names.of(permissions)).isEqualTo(permissions);
  }

  @Test
  void of_signaturesAndPeople_areCut() {
    assertThat(names.of("\"https://x/operations/1?api-version=2&t=6&s=a-b_c%3D&h=q\",\"y\""))
        .isEqualTo("\"https://x/operations/1?api-version=2\",\"y\"");
    assertThat(names.of("The client 'ann@firm.example' with object id"))
        .isEqualTo("The client 'somebody' with object id");
    assertThat(names.of("/managementGroups/firm/providers/x"))
        .isEqualTo("/managementGroups/somewhere/providers/x");
  }
}
