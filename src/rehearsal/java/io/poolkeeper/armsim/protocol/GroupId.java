package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.Names;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A resource group. Two ids are equal if they differ in case only. */
public record GroupId(String subscription, String name) {
  public String path() {
    return "/subscriptions/" + subscription + "/resourceGroups/" + name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GroupId id
        && name.equalsIgnoreCase(id.name)
        && subscription.equalsIgnoreCase(id.subscription);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Names.fold(subscription), Names.fold(name));
  }
}
