package io.poolkeeper.armsim.protocol;

import static io.poolkeeper.armsim.protocol.ArmError.Form.GATEWAY;
import static io.poolkeeper.armsim.protocol.ArmError.Form.PRECONDITION;
import static io.poolkeeper.armsim.protocol.ArmError.Form.PROVIDER;
import static io.poolkeeper.armsim.protocol.ArmError.Form.RETRYABLE;
import static io.poolkeeper.armsim.protocol.ArmError.Form.UNPARSABLE;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/**
 * The errors of Resource Manager and its providers: status and code. Their texts, and what is known
 * of where they come from, are in {@code errors.properties}.
 */
public enum ArmError {
  MISSING_API_VERSION(GATEWAY, 400, "MissingApiVersionParameter"),
  INVALID_API_VERSION(GATEWAY, 400, "InvalidApiVersionParameter"),
  UNSUPPORTED_API_VERSION(GATEWAY, 400, "NoRegisteredProviderFound"),
  METHOD_NOT_ALLOWED(GATEWAY, 405, "HttpMethodNotAllowed"),
  NOT_IMPLEMENTED(GATEWAY, 501, "NotImplemented"),
  NO_TEMPLATES(GATEWAY, 501, "NotImplemented"),
  BODY_TOO_LARGE(GATEWAY, 413, "RequestContentTooLarge"),
  BODY_MALFORMED(GATEWAY, 400, "InvalidRequestContent"),

  UNKNOWN_TYPE(GATEWAY, 404, "InvalidResourceType"),
  UNKNOWN_PATH(GATEWAY, 404, "InvalidResourceType"),
  NO_TYPE(GATEWAY, 404, "InvalidResourceType"),
  NO_NAMESPACE(GATEWAY, 404, "InvalidResourceNamespace"),
  GROUP_NOT_FOUND(GATEWAY, 404, "ResourceGroupNotFound"),
  GROUP_BEING_DELETED(GATEWAY, 409, "ResourceGroupBeingDeleted"),
  RESOURCE_NOT_FOUND(GATEWAY, 404, "ResourceNotFound"),
  NO_PARENT(GATEWAY, 404, "ParentResourceNotFound"),
  PART_NOT_FOUND(PROVIDER, 404, "NotFound"),
  OPERATION_NOT_FOUND(PROVIDER, 404, "NotFound"),
  TOO_MANY_RESOURCES(GATEWAY, 409, "ResourceQuotaExceeded"),

  LOCATION_REQUIRED(GATEWAY, 400, "LocationRequired"),
  LOCATION_CHANGED(GATEWAY, 409, "InvalidResourceLocation"),
  INVALID_NAME(PROVIDER, 400, "InvalidResourceName"),
  DUPLICATE_NAME(UNPARSABLE, 400, "DuplicateResourceName"),
  WRONG_TYPE(UNPARSABLE, 400, "InvalidJson"),
  READ_ONLY(UNPARSABLE, 400, "InvalidJson"),
  WRONG_VALUE(UNPARSABLE, 400, "InvalidJson"),
  UNKNOWN_WORD(UNPARSABLE, 400, "InvalidJson"),

  NO_REFERENCE(GATEWAY, 400, "LinkedInvalidPropertyId"),
  WRONG_REFERENCE(UNPARSABLE, 400, "InvalidJsonReferenceFormat"),
  NO_SUCH_REFERENCE(PROVIDER, 400, "InvalidResourceReference"),
  ETAG_MISMATCH(PRECONDITION, 412, "PreconditionFailedEtagMismatch"),
  NOTHING_TO_MATCH(PRECONDITION, 412, "PreconditionFailedEtagMismatch"),

  ANOTHER_OPERATION(PROVIDER, 409, "AnotherOperationInProgress"),
  RETRY_AFTER_OPERATION(RETRYABLE, 429, "RetryableErrorDueToAnotherOperation"),
  RETRY_AFTER_ERROR(RETRYABLE, 429, "GatewayError"),

  SKU_CHANGED(PROVIDER, 400, "SkuCannotBeChangedOnUpdate"),
  BASIC_SKU(PROVIDER, 400, "OperationNotSupportedOnBasicSkuLoadBalancer"),
  NO_FRONTEND(PROVIDER, 400, "LoadBalancerWithoutFrontendIPCantHaveChildResources"),
  TWO_POOLS(
      PROVIDER,
      400,
      "LoadBalancingRuleBackendAdressPoolAndBackendAddressPoolsCannotBeSetAtTheSameTimeWithDifferentValue"),
  POOL_IN_USE(PROVIDER, 400, "InUseBackendAddressPoolCannotBeDeleted"),
  NETWORK_REQUIRED(PROVIDER, 400, "IpAddressAndVirtualNetworkRequiredForBackendAddress"),
  INVALID_ADDRESS(UNPARSABLE, 400, "InvalidIPAddressFormat"),
  DUPLICATE_ADDRESS(UNPARSABLE, 400, "DuplicateIpConfigurationReferenceOnBackendAddressPool"),
  OUTSIDE_NETWORK(PROVIDER, 400, "PrivateIPAddressNotInSubnet"),
  NIC_MEMBERS_CHANGED(PROVIDER, 400, "ModificationOfNICIpConfigBackendPoolNotSupported"),
  MIXED_MEMBERS(
      PROVIDER,
      400,
      "CannotMixIPBasedAddressesAndIPConfigurationsOnLoadBalancerBackendAddressPool"),

  ADDRESS_IN_USE(PROVIDER, 400, "PublicIPAddressCannotBeDeleted"),
  SUBNET_IN_USE(PROVIDER, 400, "InUseSubnetCannotBeDeleted"),
  SUBNET_FULL(PROVIDER, 400, "SubnetIsFull"),

  REQUEST_TIMEOUT(GATEWAY, 408, "RequestTimeout"),
  INTERNAL_ERROR(PROVIDER, 500, "InternalServerError"),
  BAD_GATEWAY(GATEWAY, 502, "BadGateway"),
  UNAVAILABLE(GATEWAY, 503, "ServiceUnavailable"),
  GATEWAY_TIMEOUT(GATEWAY, 504, "GatewayTimeout"),
  THROTTLED_BY_ARM(GATEWAY, 429, "SubscriptionRequestsThrottled"),
  THROTTLED_BY_NETWORK(PROVIDER, 429, "TooManyRequests"),
  TOO_MANY_REQUESTS(PROVIDER, 429, "TooManyRequests"),
  NO_TOKEN(GATEWAY, 401, "AuthenticationFailed"),
  EXPIRED_TOKEN(GATEWAY, 401, "ExpiredAuthenticationToken"),
  NO_RIGHT(GATEWAY, 403, "AuthorizationFailed"),
  NO_LINKED_RIGHT(GATEWAY, 403, "LinkedAuthorizationFailed");

  /** The body that the code stands in. */
  enum Form {
    /** Of Resource Manager itself, in front of all providers. */
    GATEWAY,
    /** Of a provider, whose errors list details. */
    PROVIDER,
    /** A detail: a body that is JSON but not what the provider expects. */
    UNPARSABLE,
    /** A detail of a failed precondition. */
    PRECONDITION,
    /** A detail of an error after which the call can be repeated. */
    RETRYABLE
  }

  private final Form form;
  private final int status;
  private final String code;
  private final String text;

  ArmError(Form form, int status, String code) {
    this.form = form;
    this.status = status;
    this.code = code;
    this.text = Objects.requireNonNull(Texts.ALL.getProperty(name()), name());
  }

  /** The answer, with the values in the places of its text. */
  public ArmAnswer answer(Object... values) {
    String message = text.formatted(values);
    return switch (form) {
      case GATEWAY -> ArmAnswer.gateway(status, code, message);
      case PROVIDER -> ArmAnswer.provider(status, code, message);
      case UNPARSABLE ->
          ArmAnswer.provider(
              status, "InvalidRequestFormat", "Cannot parse the request.", code, message);
      case PRECONDITION ->
          ArmAnswer.provider(status, "PreconditionFailed", "Precondition failed.", code, message);
      case RETRYABLE ->
          ArmAnswer.provider(status, "RetryableError", "A retryable error occurred.", code, message)
              .with("x-ms-failure-cause", "service");
    };
  }

  public Refused refused(Object... values) {
    return new Refused(answer(values));
  }

  /** Read once, before the first constant is made. */
  private static final class Texts {
    static final Properties ALL = new Properties();

    static {
      try (InputStream file = ArmError.class.getResourceAsStream("errors.properties")) {
        ALL.load(Objects.requireNonNull(file));
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
