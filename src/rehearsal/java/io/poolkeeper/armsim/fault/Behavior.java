package io.poolkeeper.armsim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Deviation;
import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.model.Terms.UpdatingShown;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.Members;
import io.poolkeeper.armsim.throttle.ThrottleSettings;
import io.poolkeeper.model.Range;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;

/**
 * The simulator's settings that can change while it runs, besides the fault rules.
 *
 * @param contention the fate of a write that meets another one
 * @param contentionRetrySeconds the seconds to wait in a {@code RetryableError}; the simulator
 *     itself does not enforce them
 * @param retryAfter the form of {@code Retry-After} in all answers with status 429, except those of
 *     fault rules with their own
 * @param parentAddresses the fate of addresses in a PUT of a whole load balancer
 * @param updatingShown what shows that a pool is written
 * @param deviations what Azure does otherwise than is assumed
 */
public record Behavior(
    Contention contention,
    int contentionRetrySeconds,
    RetryAfterForm retryAfter,
    ParentAddresses parentAddresses,
    UpdatingShown updatingShown,
    Set<Deviation> deviations,
    ThrottleSettings throttle) {

  private static final Range<Integer> RETRY_SECONDS = new Range<>(0, 3_600);

  public static final Behavior FAST = usual(1, ThrottleSettings.OFF);

  /** As Azure documents it; 14 seconds is what was seen there. */
  public static final Behavior AZURE = usual(14, ThrottleSettings.AZURE);

  private static Behavior usual(int contentionRetrySeconds, ThrottleSettings throttle) {
    return new Behavior(
        Contention.SUPERSEDE,
        contentionRetrySeconds,
        RetryAfterForm.SECONDS,
        ParentAddresses.IGNORED,
        UpdatingShown.SIBLINGS,
        Set.of(),
        throttle);
  }

  public Behavior {
    RETRY_SECONDS.check("contentionRetrySeconds", contentionRetrySeconds);
  }

  /** This behavior with changes in the form of {@link #json()}; other settings stay. */
  public Behavior changed(JsonNode changes) {
    Members members = Members.of("behavior", changes);
    var after =
        new Behavior(
            members.choice("contention", Contention.class).orElse(contention),
            members.number("contentionRetrySeconds", RETRY_SECONDS).orElse(contentionRetrySeconds),
            members.choice("retryAfter", RetryAfterForm.class).orElse(retryAfter),
            members.choice("parentAddresses", ParentAddresses.class).orElse(parentAddresses),
            members.choice("updatingShown", UpdatingShown.class).orElse(updatingShown),
            members.choices("deviations", Deviation.class).orElse(deviations),
            members.object("throttle").map(throttle::changed).orElse(throttle));
    members.done();
    return after;
  }

  public JsonNode json() {
    return ArmJson.MAPPER.valueToTree(this);
  }

  /** The forms of {@code Retry-After} in answers with status 429. All were seen at Azure. */
  public enum RetryAfterForm {
    SECONDS,
    DATE,
    ABSENT,
    ZERO;

    private static final String HEADER = "Retry-After";
    private static final long ALMOST_A_SECOND = 999_999_999L;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final DateTimeFormatter RFC_1123 =
        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    /** An answer whose header, if it has one, is in seconds, given this form. */
    public ArmAnswer applied(ArmAnswer answer, Instant now) {
      String seconds = answer.headers().get(HEADER);
      if (answer.status() != TOO_MANY_REQUESTS || seconds == null) {
        return answer;
      }
      return switch (this) {
        case SECONDS -> answer;
        case DATE -> answer.with(HEADER, date(now, Long.parseLong(seconds)));
        case ABSENT -> answer.without(HEADER);
        case ZERO -> answer.with(HEADER, "0");
      };
    }

    /** The date so many seconds from now, rounded up to a second. */
    public static String date(Instant now, long seconds) {
      return RFC_1123.format(now.plusSeconds(seconds).plusNanos(ALMOST_A_SECOND));
    }
  }
}
