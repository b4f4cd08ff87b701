package io.poolkeeper.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.net.HttpURLConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the embedded cluster; they outlive its server. Works around faults of the library
 * that would break a watcher or a writer:
 *
 * <p>A watch that begins at an old version gets all existing objects, but not the deletions since.
 * Here a deletion has a version of its own, and a watch from before the last deletion gets 410
 * Expired, like on a real server without that history: the watcher lists again.
 *
 * <p>A write while a watch opens may overtake the first events of that watch. Here a lock makes
 * opening and requests exclude each other; the waits are short, as the lab is small.
 *
 * <p>A field selector on an event's reason or source would match nothing. Here it selects all, and
 * who asked must look at them.
 *
 * <p>A status is written whatever version it was made from. Here it is a conflict if that is not
 * the newest, as for the rest of an object.
 *
 * <p>Custom resources are there without a definition; a patch that does not apply breaks the
 * connection; a merge patch adds to lists; an object with finalizers is deleted without a new
 * generation, and the answer to the write of its last one is empty. Here all of this is as on a
 * real server.
 */
final class ClusterState extends KubernetesCrudDispatcher {
  private static final Pattern VERSION = Pattern.compile("[?&]resourceVersion=(\\d+)");
  private static final Pattern OF_EVENTS =
      Pattern.compile("fieldSelector=[^&]*(reason|(?<!re)source)[^&]*&?");
  private static final String EXPIRED =
      """
      {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},\
      "status":"Failure","message":"too old resource version","reason":"Expired","code":410}}\
      """;
  private static final int UNPROCESSABLE = 422;
  private static final int NORMAL_CLOSURE = 1000;

  /** Its requests come on the threads of the library's server, which knows no actor. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Definitions definitions = new Definitions();
  private final List<EmbeddedCluster.Listener> listeners = new CopyOnWriteArrayList<>();
  private long lastDeletion;

  /** What the request has removed; null if nothing. */
  private @Nullable String removed;

  void listen(EmbeddedCluster.Listener listener) {
    listeners.add(listener);
  }

  @Override
  public MockResponse dispatch(RecordedRequest request) {
    lock.lock();
    try {
      removed = null;
      MockResponse response =
          definitions.serves(request.getPath())
              ? super.dispatch(request)
              : failure(HttpURLConnection.HTTP_NOT_FOUND, "NotFound", "404 page not found");
      boolean empty = response.getBody() == null || response.getBody().size() == 0;
      return removed != null && empty ? response.setBody(removed) : response;
    } catch (JsonPatchException notApplicable) {
      return failure(UNPROCESSABLE, "Invalid", "the patch does not apply");
    } finally {
      lock.unlock();
    }
  }

  private static MockResponse failure(int code, String reason, String message) {
    return new MockResponse()
        .setResponseCode(code)
        .setBody(
            """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
            "message":"%s","reason":"%s","code":%d}\
            """
                .formatted(message, reason, code));
  }

  @Override
  public JsonNode merge(JsonNode base, String patch) {
    return ServerJson.merge(base, ServerJson.parse(patch));
  }

  @Override
  public void processEvent(
      String path,
      AttributeSet pathAttributes,
      @Nullable AttributeSet oldAttributes,
      @Nullable GenericKubernetesResource resource,
      @Nullable String newState) {
    String old =
        oldAttributes == null
            ? null
            : Objects.requireNonNull(findResource(oldAttributes)).getValue();
    String next = newState == null ? null : ServerJson.spread(newState);
    if (next != null && old != null && ServerJson.isMarked(next) && !ServerJson.isMarked(old)) {
      next = ServerJson.raised(next);
    }
    String said = next == null ? String.valueOf(old) : next;
    definitions.changed(path, said, next == null);
    // Before a watch says it: what follows from the change must not seem to come first.
    for (EmbeddedCluster.Listener listener : listeners) {
      listener.changed(path, said, next == null);
    }
    super.processEvent(path, pathAttributes, oldAttributes, resource, next);
    if (next == null) {
      lastDeletion = requestResourceVersion();
      removed = old;
    }
  }

  @Override
  public MockResponse handleCreate(RecordedRequest request) {
    MockResponse response = super.handleCreate(request);
    return response.getBody() == null
        ? response
        : response.setBody(ServerJson.spread(response.getBody().readUtf8()));
  }

  @Override
  public MockResponse handleUpdate(RecordedRequest request) {
    return isStaleStatus(request)
        ? failure(HttpURLConnection.HTTP_CONFLICT, "Conflict", "the object has been modified")
        : super.handleUpdate(request);
  }

  private boolean isStaleStatus(RecordedRequest request) {
    Map.@Nullable Entry<AttributeSet, String> newest = findResource(getKey(request.getPath()));
    if (newest == null || !request.getPath().endsWith("/status")) {
      return false;
    }
    String body = request.getUtf8Body();
    request.getBody().writeUtf8(body); // reading takes it away
    String version = version(body);
    return version != null && !version.equals(version(newest.getValue()));
  }

  private static @Nullable String version(String json) {
    return Serialization.unmarshal(json, GenericKubernetesResource.class)
        .getMetadata()
        .getResourceVersion();
  }

  @Override
  public MockResponse handleGet(String path) {
    return super.handleGet(OF_EVENTS.matcher(path).replaceFirst(""));
  }

  @Override
  public MockResponse handleWatch(String path) {
    Matcher version = VERSION.matcher(path);
    if (version.find() && Long.parseLong(version.group(1)) < lastDeletion) {
      return new MockResponse().withWebSocketUpgrade(new Expired());
    }
    MockResponse response = super.handleWatch(path);
    return response.withWebSocketUpgrade(new Exclusive(response.getWebSocketListener()));
  }

  private static final class Expired extends WebSocketListener {
    @Override
    public void onOpen(WebSocket socket, Response response) {
      socket.send(EXPIRED);
      socket.close(NORMAL_CLOSURE, "expired");
    }
  }

  /** Holds off requests while a watch sends its first events. */
  private final class Exclusive extends WebSocketListener {
    private final WebSocketListener watch;

    Exclusive(WebSocketListener watch) {
      this.watch = watch;
    }

    @Override
    public void onBeforeAccept(WebSocket socket, Response response) {
      watch.onBeforeAccept(socket, response);
    }

    @Override
    public void onOpen(WebSocket socket, Response response) {
      lock.lock();
      try {
        watch.onOpen(socket, response);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      watch.onClosing(socket, code, reason);
    }

    @Override
    public void onClosed(WebSocket socket, int code, String reason) {
      watch.onClosed(socket, code, reason);
    }

    @Override
    public void onFailure(WebSocket socket, Throwable failure, Response response) {
      watch.onFailure(socket, failure, response);
    }
  }

  /**
   * The custom resources that the embedded API server serves, as a real one does: those with a
   * definition. What is asked of any other is not found.
   */
  static final class Definitions {
    private static final String DEFINITIONS =
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /** Groups of Kubernetes have no dot, or end with its domain. */
    private static final Pattern CUSTOM =
        Pattern.compile("/apis/(?![^/]+\\.k8s\\.io/)[^/]+\\.[^/]+/[^/?]+");

    private final Set<String> served = new HashSet<>();

    /** Hears of an object that is created, changed or deleted. */
    void changed(String path, String object, boolean deleted) {
      if (!path.startsWith(DEFINITIONS)) {
        return;
      }
      var spec = Serialization.unmarshal(object, CustomResourceDefinition.class).getSpec();
      for (var version : spec.getVersions()) {
        String root = "/apis/%s/%s".formatted(spec.getGroup(), version.getName());
        if (deleted) {
          served.remove(root);
        } else {
          served.add(root);
        }
      }
    }

    boolean serves(String path) {
      Matcher custom = CUSTOM.matcher(path);
      return !custom.lookingAt() || served.contains(custom.group());
    }
  }
}
