package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.status.Headline;
import org.jspecify.annotations.Nullable;

/** The sentence that comes first; the names of its members are a contract. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record HeadlineJson(
    String tone,
    String text,
    String rest,
    String todo,
    String more,
    @Nullable String until,
    @Nullable String exactness,
    @Nullable String untilWhat) {
  static HeadlineJson of(Headline headline) {
    boolean ends = headline.until().isPresent() && !headline.untilWhat().isEmpty();
    return new HeadlineJson(
        Labels.of(headline.tone()),
        headline.text(),
        headline.rest(),
        headline.todo(),
        headline.more(),
        ends ? Times.iso(headline.until()) : null,
        ends ? Labels.of(headline.exactness()) : null,
        ends ? headline.untilWhat() : null);
  }
}
