package io.poolkeeper.simulation;

import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.LoadBalancerId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What ARM has asked one process not to send, and until when. */
final class GateLedger {
  private final Duration most;
  private final Map<String, Instant> until = new HashMap<>();

  GateLedger(Duration most) {
    this.most = most;
  }

  /** ARM has answered 429. */
  void close(ArmPath path, boolean write, Wire.Answer answer, Instant now, Instant wall) {
    Duration asked = asked(answer.headers().getOrDefault("Retry-After", ""), wall);
    Duration bounded = asked.compareTo(most) > 0 ? most : asked;
    if (bounded.isPositive()) {
      boolean lock = answer.body().contains("\"RetryableError");
      String whose = lock ? path.loadBalancer().map(LoadBalancerId::path).orElse("") : "";
      until.merge(
          whose + write, now.plus(bounded), (old, fresh) -> old.isAfter(fresh) ? old : fresh);
    }
  }

  static Duration asked(String header, Instant wall) {
    if (header.matches("[0-9]+")) {
      return Duration.ofSeconds(Long.parseLong(header));
    }
    try {
      Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from);
      return Duration.between(wall, date);
    } catch (DateTimeException no) {
      return Duration.ZERO;
    }
  }

  /** Why a request may not be sent. */
  Optional<String> closed(ArmPath path, boolean write, Instant now) {
    String own = path.loadBalancer().map(LoadBalancerId::path).orElse("");
    for (String whose : List.of("" + write, own + write)) {
      Instant end = until.getOrDefault(whose, Instant.MIN);
      if (now.isBefore(end)) {
        return Optional.of(path + " though ARM takes none before " + end);
      }
    }
    return Optional.empty();
  }
}
