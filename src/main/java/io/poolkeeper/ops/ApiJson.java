package io.poolkeeper.ops;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.poolkeeper.doctor.CheckVerdict;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers of the API as JSON; each kind of value has one form, which is defined here. A
 * record whose components are the members of the answer is written as it is; every other answer is
 * made of {@link JsonObject}.
 */
public final class ApiJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(Instant.class, as(ApiJson::iso))
                  .addSerializer(Optional.class, as(ApiJson::orNull))
                  .addSerializer(Set.class, as(ApiJson::sorted))
                  .addSerializer(Enum.class, as(Label::textOf))
                  .addSerializer(AdminState.class, as(AdminState::name))
                  .addSerializer(PoolStatus.State.class, as(PoolStatus.State::toString))
                  .addSerializer(CheckVerdict.class, as(CheckVerdict::toString))
                  .addSerializer(Address.class, as(Address::text))
                  .addSerializer(ArmFailure.class, as(ArmFailure::toString))
                  .addSerializer(LoadBalancerId.class, as(LoadBalancerId::name))
                  .addSerializer(NodeKey.class, as(NodeKey::name))
                  .addSerializer(PoolId.class, as(PoolId::inFull))
                  .addSerializer(ServiceKey.class, as(ServiceKey::toString)));

  private ApiJson() {}

  static byte[] bytes(Object answer) {
    try {
      return MAPPER.writeValueAsBytes(answer);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("an answer that is no JSON", impossible);
    }
  }

  /** For those who read the answer in this process. */
  public static JsonNode tree(Object answer) {
    return MAPPER.valueToTree(answer);
  }

  /** A time in UTC, to the millisecond. */
  static String iso(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static @Nullable Object orNull(Optional<?> value) {
    return value.orElse(null);
  }

  private static List<?> sorted(Set<?> values) {
    return values.stream().sorted().toList();
  }

  /** Writes the result of the function in place of a value. */
  private static <T> JsonSerializer<T> as(Function<T, @Nullable Object> written) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator json, SerializerProvider serializers)
          throws IOException {
        serializers.defaultSerializeValue(written.apply(value), json);
      }
    };
  }
}
