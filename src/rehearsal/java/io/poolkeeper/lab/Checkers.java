package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.lab.judge.BindingHistory;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The admission checkers of a rehearsal. Each answers its own entry of a binding while that is
 * Pending, by a script: the last answer of it is repeated. They see nothing but the objects.
 */
public final class Checkers implements ResourceEventHandler<GenericKubernetesResource> {
  /** What the API server answers to a patch whose test fails. */
  private static final int UNPROCESSABLE = 422;

  private final KubernetesClient client;
  private final InstantSource wall;
  private final Map<String, Deque<Answer>> scripts = new ConcurrentHashMap<>();
  private final Set<String> busy = ConcurrentHashMap.newKeySet();
  private @Nullable SharedIndexInformer<GenericKubernetesResource> informer;

  Checkers(KubernetesClient client, InstantSource wall) {
    this.client = client;
    this.wall = wall;
  }

  /**
   * One answer.
   *
   * @param seconds the delay, with Retry
   * @param after it is given so long after the question
   * @param blind whether whatever has happened since does not matter
   */
  record Answer(String state, int seconds, Duration after, boolean blind) {
    static final Answer READY = new Answer("Ready", 0, Duration.ZERO, false);
    static final Answer REJECTED = new Answer("Rejected", 0, Duration.ZERO, false);

    static Answer retry(int seconds) {
      return new Answer("Retry", seconds, Duration.ZERO, false);
    }

    Answer late(long millis, boolean without) {
      return new Answer(state, seconds, Duration.ofMillis(millis), without);
    }
  }

  /** What a check of a binding answers, from its next question on. */
  void script(String binding, String check, Answer... answers) {
    scripts.put(binding + "/" + check, new ConcurrentLinkedDeque<>(List.of(answers)));
  }

  /** Begins to answer; the resource must be defined. */
  void start() {
    informer =
        client
            .genericKubernetesResources(BindingHistory.BINDINGS)
            .inNamespace(Blueprint.NAMESPACE)
            .inform(this);
  }

  public void close() {
    scripts.clear();
    if (informer != null) {
      informer.stop();
    }
  }

  @Override
  public void onAdd(GenericKubernetesResource binding) {
    for (Map<String, Object> entry : entries(binding)) {
      String name = binding.getMetadata().getName();
      String check = String.valueOf(entry.get("name"));
      Deque<Answer> script = scripts.get(name + "/" + check);
      if (script != null && isPending(entry) && busy.add(name + check)) {
        Answer answer = script.size() > 1 ? script.remove() : script.element();
        CompletableFuture.delayedExecutor(answer.after().toMillis(), TimeUnit.MILLISECONDS)
            .execute(() -> answer(name, check, answer));
      }
    }
  }

  private void answer(String binding, String check, Answer answer) {
    write(binding, check, answer, !answer.blind());
    busy.remove(binding + check);
    // What was asked meanwhile.
    Optional.ofNullable(resource(binding).get()).ifPresent(this::onAdd);
  }

  /** The check changes its answer by itself. */
  void set(String binding, String check, Answer answer) {
    write(binding, check, answer, false);
  }

  private void write(String binding, String check, Answer answer, boolean asked) {
    boolean again = true;
    while (again) {
      GenericKubernetesResource read = resource(binding).get();
      List<Map<String, Object>> entries = read == null ? List.of() : entries(read);
      int index = entries.stream().map(entry -> entry.get("name")).toList().indexOf(check);
      boolean open = index >= 0 && !(asked && !isPending(entries.get(index)));
      again = open && !patched(read, index, check, answer);
    }
  }

  private static boolean isPending(Map<String, Object> entry) {
    return "Pending".equals(entry.get("state"));
  }

  private boolean patched(GenericKubernetesResource read, int index, String check, Answer answer) {
    String entry = "/status/admissionChecks/" + index;
    String now = wall.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    List<Map<String, Object>> patch = new ArrayList<>();
    if (!answer.blind()) {
      patch.add(
          operation("test", "/metadata/resourceVersion", read.getMetadata().getResourceVersion()));
    }
    patch.add(operation("test", entry + "/name", check));
    patch.add(operation("add", entry + "/state", answer.state()));
    patch.add(operation("add", entry + "/lastTransitionTime", now));
    patch.add(operation("add", entry + "/message", "as rehearsed"));
    if (answer.state().equals("Retry")) {
      patch.add(operation("add", entry + "/requeueAfterSeconds", answer.seconds()));
    }
    String json = client.getKubernetesSerialization().asJson(patch);
    var status = resource(read.getMetadata().getName()).subresource("status");
    return LabCluster.written(
        () -> status.patch(PatchContext.of(PatchType.JSON), json),
        UNPROCESSABLE,
        HttpURLConnection.HTTP_CONFLICT,
        HttpURLConnection.HTTP_NOT_FOUND);
  }

  private static Map<String, Object> operation(String op, String path, Object value) {
    return Map.of("op", op, "path", path, "value", value);
  }

  private Resource<GenericKubernetesResource> resource(String binding) {
    return client
        .genericKubernetesResources(BindingHistory.BINDINGS)
        .inNamespace(Blueprint.NAMESPACE)
        .withName(binding);
  }

  private static List<Map<String, Object>> entries(GenericKubernetesResource binding) {
    List<Map<String, Object>> entries = binding.get("status", "admissionChecks");
    return entries == null ? List.of() : entries;
  }

  @Override
  public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
    onAdd(after);
  }

  @Override
  public void onDelete(GenericKubernetesResource binding, boolean unknownFinalState) {}
}
