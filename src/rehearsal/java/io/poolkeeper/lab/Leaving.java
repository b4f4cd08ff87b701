package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.Taint;

/** The taints that put a node out of service, as those who set them write them (spec 2). */
enum Leaving {
  OUT_OF_SERVICE("node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute"),
  SHUTDOWN("node.cloudprovider.kubernetes.io/shutdown", null, "NoSchedule"),
  SPOT_EVICTION("cloudprovider.azure.microsoft.com/draining", "spot-eviction", "NoSchedule");

  private final Taint taint;

  Leaving(String key, @org.jspecify.annotations.Nullable String value, String effect) {
    this.taint = new Taint(effect, key, null, value);
  }

  Taint taint() {
    return taint;
  }
}
