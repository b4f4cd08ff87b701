package io.poolkeeper.arm;

/** The actions of Poolkeeper at Azure, which a role must allow. */
public enum AzureAction {
  LIST("Microsoft.Network/loadBalancers/read", "list load balancers"),
  READ_POOL("Microsoft.Network/loadBalancers/backendAddressPools/read", "read pools"),
  WRITE_POOL("Microsoft.Network/loadBalancers/backendAddressPools/write", "write pools"),
  /** Needed as a pool names the virtual network of its addresses. */
  JOIN("Microsoft.Network/virtualNetworks/joinLoadBalancer/action", "join network"),
  FOLLOW_WRITE("Microsoft.Network/locations/operations/read", "follow writes"),
  /** Needed for single virtual machines, as their pools do not name them. */
  READ_INTERFACE("Microsoft.Network/networkInterfaces/read", "read interfaces");

  private final String text;
  private final String words;

  AzureAction(String text, String words) {
    this.text = text;
    this.words = words;
  }

  /** As Azure spells it. */
  public String text() {
    return text;
  }

  /** For people. */
  public String words() {
    return words;
  }
}
