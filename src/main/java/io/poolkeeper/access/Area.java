package io.poolkeeper.access;

/** What one right opens: to {@code get} the area's path, which is no resource of Kubernetes. */
public enum Area {
  METRICS("/metrics", "poolkeeper-metrics-reader"),

  /**
   * The API, and so the page. It is asked for by this path alone: the cluster's own role {@code
   * system:discovery} gives everybody {@code /api/*}.
   */
  VIEW("/", "poolkeeper-viewer");

  /** The audience of tokens that are made for Poolkeeper; no use of them at the API server. */
  public static final String AUDIENCE = "poolkeeper";

  private final String path;
  private final String role;

  Area(String path, String role) {
    this.path = path;
    this.role = role;
  }

  public String path() {
    return path;
  }

  /** The shipped ClusterRole that gives it. */
  public String role() {
    return role;
  }
}
