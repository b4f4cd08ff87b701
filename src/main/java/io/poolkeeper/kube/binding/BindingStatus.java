package io.poolkeeper.kube.binding;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller knows of a binding, and what its checks have answered. Times are texts in the
 * form of the API.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BindingStatus(
    @JsonPropertyDescription("The generation that this status was written for.") @Min(0)
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Ready, Admitted and Throttled.") @Size(max = 8)
        @Nullable List<Condition> conditions,
    @JsonPropertyDescription("The pool that the spec means.") @Nullable ResolvedPool backendPool,
    @JsonPropertyDescription("The pool's members, as far as they concern this binding.")
        @Nullable Addresses addresses,
    @JsonPropertyDescription("Changes of the Service that wait to be written.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        @Nullable Integer queued,
    @JsonPropertyDescription("Retries of the change that is being written.") @Nullable Retry retry,
    @JsonPropertyDescription(
            "When something happens by itself next: the end of a hold or of a wait.")
        @Nullable String requeueAt,
    @JsonPropertyDescription(
            "The checks' answers. The controller adds an entry in state Pending for each check;"
                + " the check's owner answers in that entry.")
        @Size(max = 32)
        @Nullable List<CheckStatus> admissionChecks) {

  /** The pool in both forms. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ResolvedPool(
      @Size(max = 512) @Nullable String id,
      @Size(max = 80) @Nullable String loadBalancer,
      @Size(max = 80) @Nullable String pool) {}

  /** Sets of addresses in a pool. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Addresses(
      @JsonPropertyDescription("What the Service's endpoints ask for.") @Size(max = MOST)
          @Nullable List<@Size(max = LONGEST) String> desired,
      @JsonPropertyDescription("What the pool held when it was last read.") @Size(max = MOST)
          @Nullable List<@Size(max = LONGEST) String> inPool,
      @JsonPropertyDescription("Those of inPool that take no new connections.") @Size(max = MOST)
          @Nullable List<@Size(max = LONGEST) String> down,
      @JsonPropertyDescription(
              "What of inPool carries the cluster's mark in its entry's name; nothing else is ever"
                  + " removed. It only reports.")
          @Size(max = MOST)
          @Nullable List<@Size(max = LONGEST) String> added) {
    static final int MOST = 5_000;
    static final int LONGEST = 45;
  }

  /** The accounting of a change that could not be written at once. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Retry(
      @JsonPropertyDescription("How often it was retried.") @Min(0) @Max(Integer.MAX_VALUE)
          @Nullable Integer count,
      @JsonPropertyDescription("It is not written before.") @Nullable String nextEligibleAt,
      @JsonPropertyDescription("Why it was not written.") @Size(max = 4_096)
          @Nullable String lastError) {}

  /** A condition in the form of all of Kubernetes. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Condition(
      @Required @Size(min = 1, max = 316) @Nullable String type,
      @Required @SchemaFrom(type = Truth.class) @Nullable String status,
      @Min(0) @Nullable Long observedGeneration,
      @Required @Nullable String lastTransitionTime,
      @Required @Size(min = 1, max = 1_024) @Pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
          @Nullable String reason,
      @Required @Size(max = 32_768) @Nullable String message) {
    enum Truth {
      True,
      False,
      Unknown
    }
  }

  /** The answer of one admission check. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CheckStatus(
      @JsonPropertyDescription("As listed.")
          @Required
          @Size(min = 1, max = 63)
          @Pattern(BindingSpec.DNS_LABEL)
          @Nullable String name,
      @JsonPropertyDescription("The answer; Pending asks for one.")
          @Required
          @SchemaFrom(type = State.class)
          @Nullable String state,
      @JsonPropertyDescription("When the state changed.") @Required
          @Nullable String lastTransitionTime,
      @JsonPropertyDescription("Why, for people.") @Size(max = 1_024) @Nullable String message,
      @JsonPropertyDescription(
              "In Retry: the least time from lastTransitionTime until the check is asked again, at"
                  + " most admission.max-delay. Absent: at once.")
          @Min(0)
          @Max(Integer.MAX_VALUE)
          @Nullable Integer requeueAfterSeconds,
      @JsonPropertyDescription(
              "How often the check was asked again after Retry since it was last Ready. Counted by"
                  + " the controller.")
          @Min(0)
          @Max(1_000_000)
          @Nullable Integer retryCount) {
    enum State {
      Pending,
      Ready,
      Retry,
      Rejected
    }
  }
}
