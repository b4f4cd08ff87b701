package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonValue;
import io.poolkeeper.model.PoolId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, in their order. Their names are a contract, so each is a text here,
 * beside the source of its value: a new name in a core changes none. An empty Optional is written
 * as null. A record would name each member twice, which pays for small objects only.
 */
public final class JsonObject {
  private final Map<String, Object> members;

  private JsonObject(Map<String, Object> members) {
    this.members = members;
  }

  static JsonObject of(String name, Object value) {
    return new JsonObject(new LinkedHashMap<>()).and(name, value);
  }

  /** The members that name a pool. */
  static JsonObject of(PoolId pool) {
    return new JsonObject(new LinkedHashMap<>()).and(pool);
  }

  /** This object and another member, which replaces one of its name. */
  JsonObject and(String name, Object value) {
    members.put(name, value);
    return this;
  }

  JsonObject andIf(boolean holds, String name, Object value) {
    return holds ? and(name, value) : this;
  }

  /** This object and a list, whose items the function writes. */
  <T> JsonObject and(String name, Collection<T> values, Function<T, ?> written) {
    return and(name, values.stream().map(written).toList());
  }

  JsonObject and(PoolId pool) {
    return and("loadBalancer", pool.loadBalancer())
        .and("pool", pool.name())
        .and("resourceGroup", pool.loadBalancer().resourceGroup());
  }

  JsonObject copy() {
    return new JsonObject(new LinkedHashMap<>(members));
  }

  @JsonValue
  Map<String, Object> members() {
    return members;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonObject object && members.equals(object.members);
  }

  @Override
  public int hashCode() {
    return Objects.hash(members);
  }
}
