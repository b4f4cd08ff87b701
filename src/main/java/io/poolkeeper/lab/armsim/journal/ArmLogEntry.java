package io.poolkeeper.lab.armsim.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import io.poolkeeper.lab.armsim.model.Handled.PoolWrite;
import io.poolkeeper.lab.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request as the simulator saw it.
 *
 * @param arrivedNanos monotonic, when the request's head had come
 * @param acceptedNanos monotonic, when the document changed (or a no-op was accepted); present for
 *     accepted writes only
 * @param code of the error; empty for a success
 * @param injected whether a fault rule answered instead of the model
 * @param write the entries that an accepted pool PUT carried
 */
public record ArmLogEntry(
    long arrivedNanos,
    OptionalLong acceptedNanos,
    String method,
    String path,
    int status,
    String code,
    boolean injected,
    Optional<LoadBalancerId> loadBalancer,
    Optional<PoolWrite> write) {

  /** Writes the entry as one JSON object. */
  public void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
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
    if (injected) {
      out.writeBooleanField("injected", true);
    }
    if (loadBalancer.isPresent()) {
      out.writeStringField("loadBalancer", loadBalancer.get().name());
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
