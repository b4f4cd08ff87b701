package io.poolkeeper.verify;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;

/**
 * Where a run works, and what it names its resources. All of them have the tag {@link #TAG} with
 * the run's id; nothing without it is ever deleted.
 *
 * @param run eight letters and digits
 * @param location of the group, or as given
 */
public record Place(String subscription, String group, String location, String run) {
  public static final String TAG = "poolkeeper-verify";

  /** The tag with the time at which a run began. */
  public static final String TIME = "poolkeeper-verify-at";

  /** What the names of all resources begin with. */
  public static final String NAMES = "poolkeeper-verify-";

  /** The pool that a rule uses. */
  public static final String USED = "used";

  /** The pool that checks write. */
  public static final String FREE = "free";

  public static String groupPath(String subscription, String group) {
    return "/subscriptions/%s/resourceGroups/%s".formatted(subscription, group);
  }

  String groupPath() {
    return groupPath(subscription, group);
  }

  public String balancerName() {
    return NAMES + run + "-lb";
  }

  public String networkName() {
    return NAMES + run + "-vnet";
  }

  public LoadBalancerId balancer() {
    return new LoadBalancerId(subscription, group, balancerName());
  }

  PoolId pool(String name) {
    return new PoolId(balancer(), name);
  }

  public String network() {
    return groupPath() + "/providers/Microsoft.Network/virtualNetworks/" + networkName();
  }

  /** An address of the network: the subnet has the first 256 of its 4,096. */
  static String address(int number) {
    return "10.213.%d.%d".formatted(4 + number / 250, 1 + number % 250);
  }
}
