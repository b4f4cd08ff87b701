package io.poolkeeper.doctor;

import java.time.Instant;
import java.util.List;

/**
 * All findings.
 *
 * @param now the time of day
 * @param azure whose identity was tested there
 * @param kubernetes and in the cluster
 */
public record Examination(Instant now, String azure, String kubernetes, List<Finding> findings) {
  public Examination {
    findings = List.copyOf(findings);
  }
}
