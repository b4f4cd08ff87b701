package io.poolkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Under which name a process stands for election. */
class ElectionIdentityTest {
  @ParameterizedTest
  @CsvSource({
    "web-0, 1f-2e, 8558, web-0_1f-2e,",
    "web-0, 1f-2e, 0, host_000000000000002a, http.port is 0",
    "web-0, , 8558, host_000000000000002a, POD_UID is not set",
    "web-0, ' ', 8558, host_000000000000002a, POD_UID is not set",
    ", 1f-2e, 8558, host_000000000000002a, POD_NAME is not set",
    "'', 1f-2e, 8558, host_000000000000002a, POD_NAME is not set",
    ", , 0, host_000000000000002a, POD_NAME is not set"
  })
  void of_isThePodsOnlyIfNoOtherProcessCanHaveIt(
      @Nullable String pod, @Nullable String uid, int port, String name, @Nullable String why) {
    Map<String, String> env = new HashMap<>();
    Optional.ofNullable(pod).ifPresent(value -> env.put("POD_NAME", value));
    Optional.ofNullable(uid).ifPresent(value -> env.put("POD_UID", value));

    assertThat(ElectionIdentity.of(env, port, () -> "host", () -> 42))
        .isEqualTo(new ElectionIdentity(name, Optional.ofNullable(why)));
  }
}
