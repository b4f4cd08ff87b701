package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GeneralPath;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Page;
import io.poolkeeper.armsim.resource.Providers;
import io.poolkeeper.armsim.resource.Reads;
import io.poolkeeper.armsim.resource.Regions;
import io.poolkeeper.model.Names;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Dispatches calls about everything but load balancers and operations. */
final class General {
  /** The subscription in lists without any group. */
  private static final String ANY_SUBSCRIPTION = "00000000-0000-0000-0000-000000000000";

  /** Deployments and what they consist of: stacks and scripts. */
  private static final String TEMPLATES = "microsoft.resources/deployment";

  private final Documents documents;
  private final GroupCalls groups;
  private final ResourceCalls resources;
  private final int pageSize;

  General(Documents documents, Replies replies, int pageSize, int retryAfter) {
    this.documents = documents;
    this.groups = new GroupCalls(documents, retryAfter);
    this.resources = new ResourceCalls(documents, replies);
    this.pageSize = pageSize;
  }

  Handled handle(ArmCall call, GeneralPath path) {
    refuseTemplates(call, path);
    return switch (path) {
      case GeneralPath.Tenants tenants -> list(call, List.of(Regions.tenant()));
      case GeneralPath.Subscriptions all -> list(call, subscriptions());
      case GeneralPath.Subscription one -> document(call, Regions.subscription(one.id()));
      case GeneralPath.Locations all -> list(call, Regions.locations(all.subscription()));
      case GeneralPath.Groups all -> page(call, groups.list(all.subscription()));
      case GeneralPath.AllResources all -> page(call, groups.resources(call, all.subscription()));
      case GeneralPath.GroupResources in -> page(call, groups.resources(call, in.id()));
      case GeneralPath.Providers all -> list(call, Providers.documents(all.subscription()));
      case GeneralPath.Provider one ->
          document(call, Providers.document(one.subscription(), one.namespace()));
      case GeneralPath.Registration one -> register(call, one);
      case GeneralPath.Listing listing ->
          resources
              .instanceView(listing.list())
              .map(view -> document(call, view))
              .orElseGet(() -> page(call, resources.list(listing.list())));
      case GeneralPath.Resource one -> resources.handle(call, one.id());
    };
  }

  Handled group(ArmCall call, GroupId id) {
    return groups.handle(call, id);
  }

  /** Refuses writes into a group that is being deleted. */
  void refuseWhereDeleting(ArmCall call) {
    boolean writes = call.method() == Method.PUT || call.method() == Method.PATCH;
    call.path()
        .resourceGroup()
        .filter(group -> writes && documents.deleting(group))
        .ifPresent(
            group -> {
              throw ArmError.GROUP_BEING_DELETED.refused(group.name());
            });
  }

  /** A template is not executed, so a success would be a lie. */
  private static void refuseTemplates(ArmCall call, GeneralPath path) {
    String type =
        path instanceof GeneralPath.Resource one
            ? one.id().type()
            : path instanceof GeneralPath.Listing some ? some.list().fullType() : "";
    boolean sends =
        call.method() == Method.PUT
            || call.method() == Method.PATCH
            || call.method() == Method.POST;
    if (sends && Names.fold(type).startsWith(TEMPLATES)) {
      throw ArmError.NO_TEMPLATES.refused();
    }
  }

  /** The answer to a HEAD, from that to a GET. */
  static Handled head(Handled read) {
    ArmAnswer answer = read.answer();
    int status = answer.status() == 200 ? 204 : answer.status();
    return Handled.unchanged(
        new ArmAnswer(status, answer.code(), Optional.empty(), answer.headers()));
  }

  private List<ObjectNode> subscriptions() {
    List<String> known =
        documents.groups().stream().map(group -> group.id().subscription()).distinct().toList();
    return (known.isEmpty() ? Stream.of(ANY_SUBSCRIPTION) : known.stream())
        .map(Regions::subscription)
        .toList();
  }

  private static Handled register(ArmCall call, GeneralPath.Registration path) {
    ObjectNode document = Providers.document(path.subscription(), path.namespace());
    return call.method() == Method.POST
        ? Handled.unchanged(ArmAnswer.of(200, document))
        : Handled.notAllowed(call);
  }

  private static Handled document(ArmCall call, ObjectNode document) {
    return Handled.read(call, ArmAnswer.of(200, document));
  }

  /** A list without pages. */
  private static Handled list(ArmCall call, List<ObjectNode> documents) {
    ObjectNode list = ArmJson.MAPPER.createObjectNode();
    list.putArray("value").addAll(documents);
    return document(call, list);
  }

  private Handled page(ArmCall call, List<Reads.Item> items) {
    return Handled.read(
        call,
        Page.of(
            call, pageSize, items, Reads.Item::key, (item, out) -> out.writeTree(item.document())));
  }
}
