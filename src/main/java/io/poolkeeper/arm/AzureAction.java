package io.poolkeeper.arm;

/** What Poolkeeper does at Azure, and the action that a role must have for it. */
public enum AzureAction {
  LIST("Microsoft.Network/loadBalancers/read", "list load balancers"),
  READ_POOL("Microsoft.Network/loadBalancers/backendAddressPools/read", "read pools"),
  WRITE_POOL("Microsoft.Network/loadBalancers/backendAddressPools/write", "write pools"),
  /** A pool names the virtual network of its addresses. */
  JOIN("Microsoft.Network/virtualNetworks/joinLoadBalancer/action", "join network"),
  FOLLOW_WRITE("Microsoft.Network/locations/operations/read", "follow writes"),
  /** Of single virtual machines: a pool does not say whose they are. */
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
