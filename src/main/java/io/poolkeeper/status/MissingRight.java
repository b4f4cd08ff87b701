package io.poolkeeper.status;

import io.poolkeeper.arm.AzureAction;
import io.poolkeeper.model.ArmFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The right that Azure says is missing. Azure's text names it; of several rights the first counts.
 * If the text is cut off, the action and scope of the call count. The scope of a linked right is
 * then not known: it is another one than that of the call.
 *
 * @param action such as {@code Microsoft.Network/loadBalancers/read}
 * @param scope the resource at which the right is missing, a load balancer rather than its pool;
 *     empty if not said
 * @param identity the client's id; empty if not said
 * @param objectId the principal's id, by which a role is assigned; empty if not said
 */
public record MissingRight(String action, String scope, String identity, String objectId) {
  /** The action of a write of a pool. */
  public static final String WRITE = AzureAction.WRITE_POOL.text();

  /** The action of a listing. */
  public static final String LIST = AzureAction.LIST.text();

  private static final Pattern CLIENT =
      Pattern.compile("client '([^']*)' with object id '([^']*)'");
  private static final Pattern OWN = Pattern.compile("action '([^']*)' over scope '([^']*)'");
  private static final Pattern LINKED =
      Pattern.compile("action\\(s\\) '([^',]*)[^']*' on the linked scope\\(s\\) '([^',]*)[',]");
  private static final Pattern OF_POOL = Pattern.compile("(?i)/backendAddressPools(/.*)?$");

  /** The missing right in a failure that a grant ends. */
  static MissingRight of(ArmFailure failure, String action, String scope) {
    Matcher client = CLIENT.matcher(failure.message());
    boolean known = client.find();
    boolean linked = failure.code().equalsIgnoreCase("LinkedAuthorizationFailed");
    Matcher right = (linked ? LINKED : OWN).matcher(failure.message());
    String lacking = linked ? AzureAction.JOIN.text() : action;
    String where = linked ? "" : scope;
    if (right.find()) {
      lacking = right.group(1);
      where = right.group(2);
    }
    return new MissingRight(
        lacking,
        OF_POOL.matcher(where).replaceFirst(""),
        known ? client.group(1) : "",
        known ? client.group(2) : "");
  }

  /** The name of the resource at which it is missing. */
  public String name() {
    return scope.substring(scope.lastIndexOf('/') + 1);
  }
}
