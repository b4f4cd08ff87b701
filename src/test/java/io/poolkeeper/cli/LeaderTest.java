package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.cli.LimitedStream.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every answer has an end. */
@Timeout(30)
class LeaderTest {
  private static final String PATH = "/api/v1/plan";
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Limits LIMITS = new Limits(Duration.ofSeconds(1), LONG, 1 << 20);

  private LeaderStub stub;

  @BeforeEach
  void start() throws Exception {
    stub = new LeaderStub();
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private Leader leader(Limits limits) {
    return new LeaderByUrl(stub.url(), false, Optional.empty(), limits);
  }

  @Test
  void json_anErrorWithoutEnd_isCut() {
    stub.fail(PATH, "x".repeat(100_000));

    try (Leader leader = leader(LIMITS)) {
      assertThatThrownBy(() -> leader.json(PATH))
          .hasMessage("%s: GET %s: HTTP 500: %s", stub.url(), PATH, "x".repeat(500));
    }
  }

  @Test
  void json_theBodyStops_fails() {
    stub.stall(PATH, "{\"leads\": true,");

    try (Leader leader = leader(LIMITS)) {
      assertThatThrownBy(() -> leader.json(PATH))
          .isInstanceOf(CommandFailure.class)
          .hasMessage("%s: GET %s: the answer ended early: nothing came for 1 s", stub.url(), PATH);
    }
  }

  @Test
  void json_theBodyIsWholeButTheEndDoesNotCome_fails() {
    stub.stall(PATH, "{}");

    try (Leader leader = leader(LIMITS)) {
      assertThatThrownBy(() -> leader.json(PATH)).hasMessageContaining("nothing came for 1 s");
    }
  }

  @Test
  void json_theBodyComesInDrops_fails() {
    stub.answer(LeaderStub.EVENTS, "");
    Limits limits = new Limits(LONG, Duration.ofSeconds(2), 1 << 20);

    try (Leader leader = leader(limits)) {
      assertThatThrownBy(() -> leader.json(LeaderStub.EVENTS))
          .hasMessageEndingWith("it was not complete after 2 s");
    }
  }

  @Test
  void json_tooLong_fails() {
    stub.answer(PATH, "\"%s\"".formatted("x".repeat(1 << 20)));

    try (Leader leader = leader(LIMITS)) {
      assertThatThrownBy(() -> leader.json(PATH)).hasMessageEndingWith("it is longer than 1 MiB");
    }
  }

  @Test
  void get_noSchemeIsSpoken_namesWhyOfEach() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  while (true) {
                    mute.accept().close();
                  }
                } catch (IOException ended) {
                  // The test has ended.
                }
              });
      URI url = URI.create("http://127.0.0.1:" + mute.getLocalPort());

      try (Leader leader = new LeaderByUrl(url, true, Optional.empty(), LIMITS)) {
        assertThatThrownBy(() -> leader.json(PATH))
            .hasMessageMatching(url + ": no answer: [^;]+; [^;]+");
      }
    }
  }

  @Test
  void liveState_theFirstLineStops_fails() {
    stub.stall(LeaderStub.EVENTS, "{\"whole\": true,");

    try (Leader leader = leader(LIMITS)) {
      assertThatThrownBy(() -> LiveState.read(leader))
          .hasMessage("%s: the stream broke: nothing came for 1 s", stub.url());
    }
  }

  @Test
  void liveState_followedForLongerThanOneAnswerMayTake_goesOn() {
    stub.answer(LeaderStub.EVENTS, "{\"whole\": true}\n");
    Limits limits = new Limits(LONG, Duration.ofMillis(1_800), 1 << 20);
    int[] lines = {0};

    try (Leader leader = leader(limits)) {
      LiveState.follow(leader, state -> ++lines[0] < 4);
    }

    assertThat(lines[0]).isEqualTo(4);
  }
}
