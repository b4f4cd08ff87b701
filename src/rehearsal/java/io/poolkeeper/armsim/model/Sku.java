package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import java.util.List;

/**
 * The SKU of a load balancer, fixed at its creation. A write that omits it keeps it; a new load
 * balancer is a regional Standard one, because Basic ones were retired.
 */
public final class Sku {
  private static final String MEMBER = "sku";
  private static final String STANDARD = "Standard";
  private static final List<String> NAMES = List.of("Basic", STANDARD, "Gateway", "Service");
  private static final List<String> TIERS = List.of("Regional", "Global");

  private Sku() {}

  /** The members besides the properties, with a known and unchanged sku. */
  static ObjectNode settled(Reading reading, ObjectNode others) {
    Shape.OBJECT.require(MEMBER, others.path(MEMBER));
    if (!others.has(MEMBER)) {
      reading
          .before()
          .ifPresentOrElse(
              old -> others.set(MEMBER, old.document().path(MEMBER)),
              () -> others.putObject(MEMBER).put("name", STANDARD).put("tier", "Regional"));
      return others;
    }
    checkKnown("name", others, NAMES);
    checkKnown("tier", others, TIERS);
    reading.before().ifPresent(old -> checkSame(reading, old.document(), others));
    return others;
  }

  private static void checkKnown(String member, ObjectNode others, List<String> known) {
    var given = others.path(MEMBER).path(member);
    Shape.TEXT.require("sku." + member, given);
    if (given.isTextual()) {
      Shape.word("sku." + member, given.asText(), known);
    }
  }

  private static void checkSame(Reading reading, ObjectNode before, ObjectNode after) {
    String old = text(before);
    String changed = text(after);
    if (!old.equalsIgnoreCase(changed)) {
      throw ArmError.SKU_CHANGED.refused(old, changed, reading.path());
    }
  }

  /** The name, and the tier if it is not the default. */
  private static String text(ObjectNode others) {
    String tier = others.path(MEMBER).path("tier").asText("Regional");
    return name(others) + (tier.equalsIgnoreCase("Regional") ? "" : " " + tier);
  }

  private static String name(ObjectNode others) {
    return others.path(MEMBER).path("name").asText(STANDARD);
  }

  /** Refuses a pool's address or write on a Basic load balancer. */
  public static void refuseBasic(ObjectNode others, String pool) {
    if (name(others).equalsIgnoreCase("Basic")) {
      throw ArmError.BASIC_SKU.refused(pool);
    }
  }
}
