package io.poolkeeper.doctor;

import java.time.Instant;
import java.util.List;

/**
 * All findings.
 *
 * @param now the time of day
 * @param azure the identity that was tested at Azure
 * @param kubernetes the user that was tested in the cluster
 */
public record Examination(Instant now, String azure, String kubernetes, List<Finding> findings) {
  public Examination {
    findings = List.copyOf(findings);
  }
}
