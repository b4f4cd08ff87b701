package io.poolkeeper.armsim.swagger;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.poolkeeper.armsim.model.ArmModel;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** The model without HTTP, actor or time: an operation ends after it was polled once. */
final class ModelWire implements Wire {
  private static final String ORIGIN = "http://arm";
  private long last;
  private final ArmModel model = new ArmModel(() -> new UUID(0, ++last).toString(), PAGE_SIZE, 1);

  @Override
  public Answer send(String method, String target, String body, String... headers) {
    String uri = target.startsWith(ORIGIN) ? target.substring(ORIGIN.length()) : target;
    ArmCall call =
        ArmCall.to(
            Method.valueOf(method),
            ORIGIN,
            uri,
            headers.length > 1 ? Optional.of(headers[1]) : Optional.empty(),
            body(body));
    Handled handled = model.handle(call);
    Answer answer = answer(handled.answer());
    if (call.path() instanceof ArmPath.OperationStatus polled) {
      model.complete(polled.id());
    }
    return answer;
  }

  private static Body body(String text) {
    try {
      return text.isEmpty() ? new Body.Absent() : new Body.Json(ArmJson.MAPPER.readTree(text));
    } catch (JsonProcessingException wrong) {
      return new Body.Malformed(wrong.getOriginalMessage());
    }
  }

  private static Answer answer(ArmAnswer answer) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(answer.headers());
    return new Answer(answer.status(), headers, answer.text());
  }
}
