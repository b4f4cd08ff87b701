package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;

/**
 * The errors that concern resources of any type. Their codes and texts are Resource Manager's own
 * according to users' reports; none was recorded.
 */
final class Refusals {
  private Refusals() {}

  static Refused notFound(ResourceId id) {
    return new Refused(
        ArmAnswer.gateway(
            404,
            "ResourceNotFound",
            "The Resource '%s/%s' %s was not found."
                    .formatted(
                        id.type(),
                        String.join("/", id.names()),
                        id.group()
                            .map(group -> "under resource group '" + group + "'")
                            .orElse("under subscription '" + id.subscription() + "'"))
                + " For more details please go to https://aka.ms/ARMResourceNotFoundFix"));
  }

  /** A missing part of a document of the network provider. */
  static Refused partNotFound(ResourceId id) {
    return new Refused(
        ArmAnswer.provider(404, "NotFound", "Resource " + id.path() + " not found."));
  }

  static Refused noParent(ResourceId parent, String type, String action) {
    return new Refused(
        ArmAnswer.gateway(
            404,
            "ParentResourceNotFound",
            ("Failed to perform '%s' on resource(s) of type '%s', because the parent resource '%s'"
                    + " could not be found.")
                .formatted(action, type.substring(type.indexOf('/') + 1), parent.path())));
  }

  static Refused noNamespace(String namespace) {
    return new Refused(
        ArmAnswer.gateway(
            404,
            "InvalidResourceNamespace",
            "The resource namespace '" + namespace + "' is invalid."));
  }

  static Refused noType(String namespace, String type) {
    return new Refused(
        ArmAnswer.gateway(
            404,
            "InvalidResourceType",
            "The resource type '%s' could not be found in the namespace '%s'."
                .formatted(type, namespace)));
  }

  static Refused locationRequired() {
    return new Refused(
        ArmAnswer.gateway(
            400, "LocationRequired", "The location property is required for this definition."));
  }

  static Refused locationChanged(String name, String before, String type) {
    return new Refused(
        ArmAnswer.gateway(
            409,
            "InvalidResourceLocation",
            ("The resource '%s' already exists in location '%s' in resource group. A resource with"
                    + " the same name and type '%s' cannot be created in another location. Please"
                    + " select a new resource name.")
                .formatted(name, before, type)));
  }

  static Refused wrongType(String path, String wanted, JsonNode found) {
    return new Refused(
        ArmAnswer.unparsable(
            "InvalidJson",
            "Error converting value of '%s': expected %s but found %s."
                .formatted(path, wanted, found.getNodeType())));
  }

  static Refused wrongValue(String path, String wanted, String found) {
    return new Refused(
        ArmAnswer.unparsable(
            "InvalidJson",
            "Error converting value of '%s': expected %s but found '%s'."
                .formatted(path, wanted, found)));
  }

  static Refused noSuchReference(ResourceId from, String to) {
    return new Refused(
        ArmAnswer.provider(
            400,
            "InvalidResourceReference",
            ("Resource %s referenced by resource %s was not found. Please make sure that the"
                    + " referenced resource exists, and that both resources are in the same region.")
                .formatted(to, from.path())));
  }

  static Refused invalidName(String name) {
    return new Refused(
        ArmAnswer.provider(
            400,
            "InvalidResourceName",
            "Resource name "
                + name
                + " is invalid. The name can be up to 80 characters long. It must begin with a"
                + " word character, and it must end with a word character or with '_'. The name"
                + " may contain word characters or '.', '-', '_'."));
  }

  static Refused duplicate(String parent, String name) {
    return new Refused(
        ArmAnswer.unparsable(
            "DuplicateResourceName",
            "Resource %s has two child resources with the same name (%s)."
                .formatted(parent, name)));
  }

  static Refused noReference(String path, String id) {
    return new Refused(
        ArmAnswer.gateway(
            400,
            "LinkedInvalidPropertyId",
            ("Property id '%s' at path '%s' is invalid. Expect fully qualified resource Id that"
                    + " start with '/subscriptions/{subscriptionId}' or"
                    + " '/providers/{resourceProviderNamespace}/'.")
                .formatted(id, path)));
  }

  static Refused addressInUse(ResourceId id, String user) {
    return new Refused(
        ArmAnswer.provider(
            400,
            "PublicIPAddressCannotBeDeleted",
            ("Public IP address %s can not be deleted since it is still allocated to resource %s."
                    + " In order to delete the public IP, disassociate/detach the Public IP address"
                    + " from the resource.  To learn how to do this, see"
                    + " aka.ms/deletepublicip.")
                .formatted(id.path(), user)));
  }

  static Refused subnetInUse(ResourceId id, String user) {
    return new Refused(
        ArmAnswer.provider(
            400,
            "InUseSubnetCannotBeDeleted",
            ("Subnet %s is in use by %s and cannot be deleted. In order to delete the subnet,"
                    + " delete all the resources within the subnet. See aka.ms/deletesubnet.")
                .formatted(id.name(), user)));
  }

  static Refused subnetFull(String subnet, String prefix) {
    return new Refused(
        ArmAnswer.provider(
            400,
            "SubnetIsFull",
            "Subnet %s with address prefix %s does not have enough capacity for 1 IP addresses."
                .formatted(subnet, prefix)));
  }

  static Refused tooMany(int limit) {
    return new Refused(
        ArmAnswer.gateway(
            409,
            "ResourceQuotaExceeded",
            "The simulator holds at most " + limit + " resources; delete some."));
  }

  static Refused etagMismatch(String given, String stored, ResourceId id) {
    return new Refused(ArmAnswer.etagMismatch(given, stored, id.path()));
  }

  static Refused nothingToMatch(String given) {
    return new Refused(ArmAnswer.nothingToMatch(given));
  }
}
