package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Links;
import io.poolkeeper.armsim.protocol.Page;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resource groups. A group exists from its first PUT to the end of its deletion, which deletes
 * everything in it, load balancers included.
 */
final class GroupCalls {
  /** As recorded, in seconds; 0 without latency. */
  private static final int DELETION_RETRY_AFTER = 15;

  private static final Pattern OF_TYPE =
      Pattern.compile("resourceType\\s+eq\\s+'([^']*)'", Pattern.CASE_INSENSITIVE);

  private final Documents documents;
  private final String retryAfter;

  GroupCalls(Documents documents, int retryAfter) {
    this.documents = documents;
    this.retryAfter = Integer.toString(retryAfter == 0 ? 0 : DELETION_RETRY_AFTER);
  }

  Handled handle(ArmCall call, GroupId id) {
    return switch (call.method()) {
      case GET -> Handled.unchanged(answer(200, documents.existing(id)));
      case PUT -> {
        Optional<ResourceGroup> before = documents.group(id);
        GroupId kept = before.map(ResourceGroup::id).orElse(id);
        ResourceGroup group = ResourceGroup.parse(kept, call.object());
        documents.put(group);
        yield Handled.changed(answer(before.isPresent() ? 200 : 201, group));
      }
      case PATCH -> {
        ResourceGroup before = documents.existing(id);
        ResourceGroup group = before.patched(call.object());
        documents.put(group);
        yield Handled.changed(answer(200, group));
      }
      case DELETE -> delete(call, documents.existing(id));
      case HEAD, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  List<Page.Item> list(String subscription) {
    return documents.groups().stream()
        .filter(group -> group.id().subscription().equalsIgnoreCase(subscription))
        .map(group -> new Page.Item(group.id().name(), out -> out.writeTree(group.json(false))))
        .toList();
  }

  List<Page.Item> resources(ArmCall call, String subscription) {
    return documents.groups().stream()
        .filter(group -> group.id().subscription().equalsIgnoreCase(subscription))
        .flatMap(group -> resources(call, group.id()).stream())
        .toList();
  }

  List<Page.Item> resources(ArmCall call, GroupId id) {
    documents.existing(id);
    return Reads.summaries(documents.resources().in(id), type(call));
  }

  private Handled delete(ArmCall call, ResourceGroup group) {
    String job = Links.deletionJob(group.id(), group.location());
    String link = Links.groupDeletion(call, group.id().subscription(), job);
    ArmAnswer answer = ArmAnswer.empty(202).with("Location", link).with("Retry-After", retryAfter);
    if (documents.deleting(group.id())) {
      return Handled.noop(answer);
    }
    documents.delete(group, job);
    return Handled.started(answer, job, false);
  }

  private ArmAnswer answer(int status, ResourceGroup group) {
    return ArmAnswer.of(status, group.json(documents.deleting(group.id())));
  }

  private static Optional<String> type(ArmCall call) {
    try {
      String query = URLDecoder.decode(call.rawQuery(), StandardCharsets.UTF_8);
      Matcher matcher = OF_TYPE.matcher(query);
      return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    } catch (IllegalArgumentException wronglyEncoded) {
      return Optional.empty();
    }
  }

  /**
   * A resource group: it exists once it was PUT.
   *
   * @param others members that the client wrote and the model does not know, such as tags
   */
  record ResourceGroup(GroupId id, String location, ObjectNode others) {
    private static final Set<String> OWN = Set.of("id", "name", "type", "location", "properties");

    ResourceGroup patched(JsonNode body) {
      ObjectNode next = others.deepCopy();
      ArmJson.copy(body, next, List.of("tags"));
      return new ResourceGroup(id, location, next);
    }

    static ResourceGroup parse(GroupId id, JsonNode body) {
      return new ResourceGroup(id, BalancerDocument.location(body), ArmJson.without(body, OWN));
    }

    ObjectNode json(boolean deleting) {
      ObjectNode json = ArmJson.MAPPER.createObjectNode();
      json.put("id", id.path()).put("name", id.name());
      json.put("type", "Microsoft.Resources/resourceGroups").put("location", location);
      json.setAll(others);
      json.putObject("properties").put("provisioningState", deleting ? "Deleting" : "Succeeded");
      return json;
    }
  }
}
