package io.poolkeeper.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.server.mock.KubernetesAttributesExtractor;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
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
  private static final Pattern COLLECTION =
      Pattern.compile("/(api|apis/[^/]+)/[^/]+(/namespaces/[^/]+)?/[^/?]+(\\?.*)?");

  /** The attributes in the path of an object. */
  private static final List<String> NAMING =
      List.of("api", "version", "namespace", "plural", "name");

  private static final String EXPIRED =
      """
      {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},\
      "status":"Failure","message":"too old resource version","reason":"Expired","code":410}}\
      """;
  private static final String CONTENT_TYPE = "Content-Type";
  private static final int UNPROCESSABLE = 422;
  private static final int NORMAL_CLOSURE = 1000;
  private static final int GOING_AWAY = 1001;

  /** DELETE ends all watches, and refuses new ones and lists, until a POST. */
  private static final String WATCHES = "/_watches";

  /** Its requests come on the threads of the library's server, which knows no actor. */
  private final ReentrantLock lock = new ReentrantLock();

  private final ServedResources resources = new ServedResources();
  private final Set<WebSocket> watches = new HashSet<>();

  /** The attributes that the library keeps each object by, by those of its path. */
  private final Map<AttributeSet, AttributeSet> stored = new HashMap<>();

  private final List<EmbeddedCluster.Listener> listeners = new CopyOnWriteArrayList<>();
  private long lastDeletion;

  /** Whether nothing is listed or watched. */
  private boolean watchless;

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
          resources.serves(request.getPath()) ? ofObjects(request) : own(request);
      if (response.getWebSocketListener() == null) {
        response.setHeader(CONTENT_TYPE, "application/json"); // or kubectl expects protobuf
      }
      boolean empty = response.getBody() == null || response.getBody().size() == 0;
      return removed != null && empty ? response.setBody(removed) : response;
    } catch (JsonPatchException notApplicable) {
      return failure(UNPROCESSABLE, "Invalid", "the patch does not apply");
    } finally {
      lock.unlock();
    }
  }

  private MockResponse ofObjects(RecordedRequest request) {
    boolean many =
        request.method() == HttpMethod.GET && COLLECTION.matcher(request.getPath()).matches();
    return watchless && many
        ? failure(
            HttpURLConnection.HTTP_UNAVAILABLE,
            "ServiceUnavailable",
            "nothing is listed or watched now")
        : super.dispatch(request);
  }

  /** What is no object: what the server says of itself, and the switch of its watches. */
  private MockResponse own(RecordedRequest request) {
    if (request.getPath().equals(WATCHES)) {
      watchless = request.method() == HttpMethod.DELETE;
      if (watchless) {
        watches.forEach(watch -> watch.close(GOING_AWAY, "the lab has ended all watches"));
      }
      return answer(HttpURLConnection.HTTP_OK, "{}");
    }
    return resources
        .said(request.getPath())
        .map(said -> answer(HttpURLConnection.HTTP_OK, said.toString()))
        .orElseGet(
            () -> failure(HttpURLConnection.HTTP_NOT_FOUND, "NotFound", "404 page not found"));
  }

  private static MockResponse answer(int code, String json) {
    return new MockResponse().setResponseCode(code).setBody(json);
  }

  private static MockResponse failure(int code, String reason, String message) {
    return answer(
        code,
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
    String old = oldAttributes == null ? null : Objects.requireNonNull(map.get(oldAttributes));
    String next = newState == null ? null : ServerJson.spread(newState);
    if (next != null && old != null && ServerJson.isMarked(next) && !ServerJson.isMarked(old)) {
      next = ServerJson.raised(next);
    }
    String said = next == null ? String.valueOf(old) : next;
    resources.changed(path, said, next == null);
    // Before a watch says it: what follows from the change must not seem to come first.
    for (EmbeddedCluster.Listener listener : listeners) {
      listener.changed(path, said, next == null);
    }
    super.processEvent(path, pathAttributes, oldAttributes, resource, next);
    if (oldAttributes != null) {
      stored.remove(named(oldAttributes));
    }
    if (next != null) {
      AttributeSet now = AttributeSet.merge(pathAttributes, ofObject(resource, next));
      stored.put(named(now), now);
    }
    if (next == null) {
      lastDeletion = requestResourceVersion();
      removed = old;
    }
  }

  private AttributeSet ofObject(@Nullable GenericKubernetesResource resource, String json) {
    KubernetesAttributesExtractor extractor = (KubernetesAttributesExtractor) attributeExtractor;
    return resource == null ? extractor.fromResource(json) : extractor.extract(resource);
  }

  private static AttributeSet named(AttributeSet attributes) {
    return new AttributeSet(
        NAMING.stream().map(attributes::getAttribute).filter(Objects::nonNull).toList());
  }

  /** The library looks at all objects for each request. */
  @Override
  public Map.@Nullable Entry<AttributeSet, String> findResource(AttributeSet name) {
    AttributeSet found = stored.get(named(name));
    return found == null ? null : Map.entry(found, Objects.requireNonNull(map.get(found)));
  }

  @Override
  public MockResponse handleCreate(RecordedRequest request) {
    MockResponse response = super.handleCreate(request);
    return response.getBody() == null
        ? response
        : response.setBody(ServerJson.spread(response.getBody().readUtf8()));
  }

  /** The library knows no strategic merge patch. */
  @Override
  public MockResponse handlePatch(RecordedRequest request) {
    String type = Objects.requireNonNullElse(request.getHeader(CONTENT_TYPE), "");
    Map.@Nullable Entry<AttributeSet, String> there = findResource(getKey(request.getPath()));
    if (there == null || !type.startsWith(PatchType.STRATEGIC_MERGE.getContentType())) {
      return super.handlePatch(request);
    }
    JsonNode patch =
        ServerJson.plain(
            ServerJson.parse(there.getValue()), ServerJson.parse(request.getUtf8Body()));
    return super.handlePatch(
        new RecordedRequest(
            request.getHttpVersion(),
            request.method(),
            request.getPath(),
            Headers.builder().add(CONTENT_TYPE, PatchType.JSON_MERGE.getContentType()).build(),
            new Buffer(patch.toString().getBytes(StandardCharsets.UTF_8))));
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
    Map.@Nullable Entry<AttributeSet, String> one =
        path.contains("?") ? null : findResource(getKey(path));
    if (one != null) {
      return answer(HttpURLConnection.HTTP_OK, one.getValue());
    }
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

  private void forget(WebSocket socket) {
    lock.lock();
    try {
      watches.remove(socket);
    } finally {
      lock.unlock();
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
        watches.add(socket);
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
      forget(socket);
      watch.onClosed(socket, code, reason);
    }

    @Override
    public void onFailure(WebSocket socket, Throwable failure, Response response) {
      forget(socket);
      watch.onFailure(socket, failure, response);
    }
  }
}
