package io.poolkeeper.kube.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CrdFileTest {
  @Test
  void theShippedDefinition_isTheGeneratedOne() throws IOException {
    Path generated = CrdFile.generate(Path.of("target", "crd"));

    assertThat(CrdFile.SHIPPED)
        .as("if the records are right: cp %s %s", generated, CrdFile.SHIPPED)
        .hasSameTextualContentAs(generated);
  }
}
