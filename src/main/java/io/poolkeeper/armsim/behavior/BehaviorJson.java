package io.poolkeeper.armsim.behavior;

import static io.poolkeeper.armsim.throttle.ThrottleSettings.MAX_FACTOR;
import static io.poolkeeper.armsim.throttle.ThrottleSettings.MAX_REQUESTS;
import static io.poolkeeper.armsim.throttle.ThrottleSettings.MAX_WINDOW_SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Contention;
import io.poolkeeper.armsim.protocol.Members;
import io.poolkeeper.armsim.throttle.Rate;
import io.poolkeeper.armsim.throttle.ThrottleSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads changes in the form of {@code /_behavior}. */
final class BehaviorJson {
  private BehaviorJson() {}

  static Behavior changed(Behavior before, JsonNode changes) {
    Members members = Members.of("behavior", changes);
    var after =
        new Behavior(
            chosen(members, "contention", Contention.class).orElse(before.contention()),
            members
                .number("contentionRetrySeconds", 0, Behavior.MAX_RETRY_SECONDS)
                .orElse(before.contentionRetrySeconds()),
            chosen(members, "retryAfter", RetryAfter.class).orElse(before.retryAfter()),
            members
                .object("throttle")
                .map(throttle -> throttle(before.throttle(), throttle))
                .orElse(before.throttle()));
    members.done();
    return after;
  }

  private static ThrottleSettings throttle(ThrottleSettings before, Members members) {
    var after =
        new ThrottleSettings(
            members.flag("arm").orElse(before.arm()),
            members.flag("network").orElse(before.network()),
            rate(before.armReads(), members, "armReads"),
            rate(before.armWrites(), members, "armWrites"),
            rate(before.armDeletes(), members, "armDeletes"),
            members.number("globalFactor", 1, MAX_FACTOR).orElse(before.globalFactor()),
            members.number("networkWrites", 1, MAX_REQUESTS).orElse(before.networkWrites()),
            members.number("networkReads", 1, MAX_REQUESTS).orElse(before.networkReads()),
            members
                .number("networkWindowSeconds", 1, MAX_WINDOW_SECONDS)
                .orElse(before.networkWindowSeconds()),
            members.flag("networkCountsRefused").orElse(before.networkCountsRefused()));
    members.checkUnknown();
    return after;
  }

  private static Rate rate(Rate before, Members members, String member) {
    Optional<Members> given = members.object(member);
    if (given.isEmpty()) {
      return before;
    }
    Members rate = given.get();
    Rate after =
        new Rate(
            rate.number("burst", 1, Rate.MAX).orElse(before.burst()),
            rate.number("perSecond", 1, Rate.MAX).orElse(before.perSecond()));
    rate.checkUnknown();
    return after;
  }

  private static <E extends Enum<E>> Optional<E> chosen(
      Members members, String member, Class<E> choices) {
    List<String> words =
        Arrays.stream(choices.getEnumConstants())
            .map(choice -> choice.name().toLowerCase(Locale.ROOT))
            .toList();
    return members
        .word(member, words)
        .map(word -> Enum.valueOf(choices, word.toUpperCase(Locale.ROOT)));
  }
}
