package io.poolkeeper.armsim.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import io.poolkeeper.armsim.model.Handled.PoolWrite;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request in the log.
 *
 * @param number counts up from 1 without gaps, also through resets; assigned by the {@link Journal}
 * @param arrivedNanos monotonic, when the request's head had come
 * @param acceptedNanos monotonic, when the document changed (or a no-op was accepted); present for
 *     accepted writes only
 * @param code of the error; empty for a success
 * @param by what influenced the answer besides the model
 * @param write the entries that an accepted pool PUT carried
 * @param etag of the load balancer concerned, after it was handled
 */
public record ArmLogEntry(
    long number,
    long arrivedNanos,
    OptionalLong acceptedNanos,
    String method,
    String path,
    int status,
    String code,
    By by,
    Optional<LoadBalancerId> loadBalancer,
    Optional<PoolWrite> write,
    Optional<String> etag) {

  /**
   * What influenced an answer.
   *
   * @param injected whether a fault rule answered instead of the model
   * @param rule the fault rule that applied
   * @param throttle the throttle that refused, {@code arm} or {@code network}
   */
  public record By(boolean injected, Optional<Long> rule, Optional<String> throttle) {
    /** The model only. */
    public static final By MODEL = new By(false, Optional.empty(), Optional.empty());
  }

  /** Whether a fault rule answered instead of the model. */
  public boolean injected() {
    return by.injected();
  }

  ArmLogEntry numbered(long other) {
    return new ArmLogEntry(
        other,
        arrivedNanos,
        acceptedNanos,
        method,
        path,
        status,
        code,
        by,
        loadBalancer,
        write,
        etag);
  }

  /** Writes the entry as one JSON object. */
  public void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("number", number);
    out.writeNumberField("arrivedNanos", arrivedNanos);
    if (acceptedNanos.isPresent()) {
      out.writeNumberField("acceptedNanos", acceptedNanos.getAsLong());
    }
    out.writeStringField("method", method);
    out.writeStringField("path", path);
    out.writeNumberField("status", status);
    if (!code.isEmpty()) {
      out.writeStringField("code", code);
    }
    if (by.injected()) {
      out.writeBooleanField("injected", true);
    }
    if (by.rule().isPresent()) {
      out.writeNumberField("rule", by.rule().get());
    }
    if (by.throttle().isPresent()) {
      out.writeStringField("throttle", by.throttle().get());
    }
    if (loadBalancer.isPresent()) {
      out.writeStringField("loadBalancer", loadBalancer.get().name());
    }
    if (etag.isPresent()) {
      out.writeStringField("etag", etag.get());
    }
    if (write.isPresent()) {
      write(out, write.get());
    }
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, PoolWrite write) throws IOException {
    out.writeStringField("pool", write.pool().name());
    out.writeArrayFieldStart("addresses");
    for (PoolMember member : write.members()) {
      out.writeStartObject();
      out.writeStringField("name", member.name());
      if (member.ip().isPresent()) {
        out.writeStringField("ip", member.ip().get());
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
