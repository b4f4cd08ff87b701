package io.poolkeeper.doctor;

import io.poolkeeper.arm.AzureAction;
import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.AzureFacts.Balancer;
import io.poolkeeper.arm.AzureFacts.Denial;
import io.poolkeeper.arm.AzureFacts.Token;
import io.poolkeeper.arm.Grant;
import io.poolkeeper.config.Settings;
import io.poolkeeper.doctor.AzureRight.Need;
import io.poolkeeper.model.AzureError;
import io.poolkeeper.model.AzureError.Ender;
import io.poolkeeper.model.Look;
import io.poolkeeper.model.Look.Failed;
import io.poolkeeper.model.Look.Seen;
import io.poolkeeper.model.Names;
import io.poolkeeper.service.PoolNames;
import io.poolkeeper.status.CauseText;
import io.poolkeeper.status.Fix;
import io.poolkeeper.status.MissingRight;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The findings about Azure, but for its pools: those are in {@link PoolChecks}. */
record AzureChecks(Settings settings, AzureFacts facts, Known known) {
  /** Azure's id for all principals. */
  private static final String EVERYBODY = "00000000-0000-0000-0000-000000000000";

  /** Fewer calls are used up within a second or so. */
  private static final long FEW = 25;

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(token());
    facts.groups().forEach((group, look) -> findings.add(listing(group, look)));
    List<AzureRight> rights = AzureRight.of(settings);
    rights.forEach(right -> findings.add(right(right)));
    findings.add(lockdown(rights));
    List<Balancer> managed = managed();
    findings.addAll(new PoolChecks(settings, managed).findings());
    findings.add(services());
    findings.add(Finding.clock("azure: clock", "Azure", facts.ahead()));
    findings.add(quota());
    return findings;
  }

  /** Whose identity it is, in words. */
  static String identity(AzureFacts facts) {
    if (facts.token() instanceof Failed<Optional<Token>>) {
      return "not known";
    }
    return facts.identity().map(AzureChecks::name).orElse("nobody (no token is sent)");
  }

  private static String name(Token token) {
    return "client %s (object %s)"
        .formatted(token.client().orElse("not known"), token.object().orElse("not known"));
  }

  private Finding token() {
    String check = "azure: token";
    return switch (facts.token()) {
      case Seen<Optional<Token>> seen ->
          Finding.ok(
              check,
              seen.value()
                  .map(token -> "valid until " + token.expires())
                  .orElse("none is sent (azure.credential = none)"));
      case Failed<Optional<Token>> failed ->
          Finding.fail(
              check,
              failed.why(),
              "See azure.credential and what it needs: poolkeeper check --config FILE");
    };
  }

  private Finding listing(String group, Look<List<Balancer>> look) {
    String check = "azure: list " + group;
    return switch (look) {
      case Seen<List<Balancer>> seen -> listed(check, group, seen.value());
      case Failed<List<Balancer>> failed ->
          Finding.fail(check, failed.why(), notListed(failed, group));
    };
  }

  private String notListed(Failed<?> failed, String group) {
    if (error(failed).ender() == Ender.GRANT) {
      return grant(AzureAction.LIST, AzureRight.scope(settings.azure(), group));
    }
    return facts.token() instanceof Failed
        ? "Mend the token first."
        : "See azure.load-balancer-resource-group, azure.resource-group and the network.";
  }

  private Finding listed(String check, String group, List<Balancer> found) {
    boolean configured = group.equals(settings.azure().loadBalancerResourceGroup());
    List<String> missing =
        AzureRight.names(settings).stream()
            .filter(
                name -> configured && found.stream().noneMatch(balancer -> hasName(balancer, name)))
            .toList();
    int pools = found.stream().mapToInt(balancer -> balancer.pools().size()).sum();
    String seen = "load balancers: %d, pools: %d".formatted(found.size(), pools);
    List<Balancer> unreadable =
        found.stream().filter(balancer -> balancer.unreadable().isPresent()).toList();
    if (!unreadable.isEmpty()) {
      Balancer first = unreadable.getFirst();
      return Finding.warn(
          check,
          "%s; not readable: %d, one of them %s: %s"
              .formatted(seen, unreadable.size(), first.name(), first.unreadable().orElseThrow()),
          "Their pools are left as they are; the others are written. Compare the member with\n"
              + "az network lb show -g %s -n %s".formatted(group, first.name()));
    }
    return missing.isEmpty()
        ? Finding.ok(check, seen)
        : Finding.warn(
            check,
            "%s; not there: %s".formatted(seen, String.join(", ", missing)),
            "See azure.load-balancers; those there are: "
                + found.stream().map(Balancer::name).collect(Collectors.joining(", ")));
  }

  /** Whether it has the name, with or without {@code -internal}. */
  private static boolean hasName(Balancer balancer, String name) {
    String folded = Names.fold(balancer.name());
    return folded.equals(Names.fold(name)) || folded.equals(Names.fold(name) + "-internal");
  }

  private List<Balancer> managed() {
    PoolNames names = PoolNames.of(settings.clusterName(), settings.azure().loadBalancers());
    return facts.groups().values().stream()
        .flatMap(
            look ->
                look instanceof Seen<List<Balancer>> seen ? seen.value().stream() : Stream.empty())
        .filter(balancer -> names.manages(balancer.name()))
        .toList();
  }

  private Finding right(AzureRight right) {
    String check = "azure: " + right.action().words();
    if (right.scopes().isEmpty()) {
      return Finding.notTested(check, "azure.vnet-id is not set: where it is needed is not known");
    }
    List<String> lacking = new ArrayList<>();
    List<String> has = new ArrayList<>();
    Optional<String> unknown = Optional.empty();
    for (String scope : right.scopes()) {
      switch (facts.permissions().getOrDefault(scope, new Failed<>(0, "", "not asked"))) {
        case Seen<List<Grant>> seen -> {
          boolean granted =
              seen.value().stream().anyMatch(grant -> grant.has(right.action().text()));
          (granted ? has : lacking).add(scope);
        }
        case Failed<List<Grant>> failed -> {
          // There may be the internal one alone.
          if (!failed.absent() || right.scopes().size() == 1) {
            unknown = Optional.of(failed.why());
          }
        }
      }
    }
    if (!lacking.isEmpty()) {
      return lacks(check, right, lacking);
    }
    return unknown
        .or(() -> has.isEmpty() ? Optional.of("none of its scopes exists") : Optional.empty())
        .map(why -> Finding.notKnown(check, why))
        .orElseGet(() -> Finding.ok(check, "on " + lasts(has)));
  }

  private Finding lacks(String check, AzureRight right, List<String> scopes) {
    if (right.action() == AzureAction.READ_INTERFACE && noInterfaces()) {
      return Finding.ok(check, "not needed: no pool has network interfaces");
    }
    String when = right.need() == Need.LATER ? "; mode = write needs it" : "";
    String detail = "no right on " + lasts(scopes) + when;
    String fix =
        right.action() == AzureAction.FOLLOW_WRITE
            ? "Needs %s.\nGrant it on the subscription by a role that has this action alone."
                .formatted(right.action().text())
            : grant(right.action(), scopes.getFirst());
    CheckVerdict verdict = right.need() == Need.REQUIRED ? CheckVerdict.FAIL : CheckVerdict.WARN;
    return new Finding(check, verdict, detail, fix);
  }

  private boolean noInterfaces() {
    return facts.groups().values().stream().allMatch(look -> look instanceof Seen<List<Balancer>>)
        && managed().stream()
            .flatMap(balancer -> balancer.pools().stream())
            .allMatch(pool -> pool.interfaces() == 0);
  }

  private String grant(AzureAction action, String scope) {
    Optional<Token> token = facts.identity();
    Fix fix =
        Fix.grant(
            new MissingRight(
                action.text(),
                scope,
                token.flatMap(Token::client).orElse(""),
                token.flatMap(Token::object).orElse("")),
            settings.clusterName());
    return "Needs %s.\n%s\n%s".formatted(action.text(), fix.text(), fix.command());
  }

  private static String lasts(List<String> scopes) {
    return scopes.stream()
        .map(scope -> scope.substring(scope.lastIndexOf('/') + 1))
        .collect(Collectors.joining(", "));
  }

  /** A resource group that is locked down refuses everybody who is not excluded. */
  private Finding lockdown(List<AzureRight> rights) {
    String check = "azure: lockdown";
    Optional<String> refusal =
        known
            .refusal()
            .or(
                () ->
                    facts.groups().values().stream()
                        .flatMap(look -> refusal(look).stream())
                        .findFirst());
    if (refusal.isPresent()) {
      return locked(check, CheckVerdict.FAIL, refusal.get());
    }
    return switch (facts.denials()) {
      case Failed<List<Denial>> failed ->
          Finding.notTested(check, "deny assignments cannot be read: " + failed.why());
      case Seen<List<Denial>> seen -> locked(check, seen.value(), rights);
    };
  }

  /** What mode = write alone needs makes no shadow fail. */
  private Finding locked(String check, List<Denial> denials, List<AzureRight> rights) {
    List<AzureRight> later = rights.stream().filter(right -> right.need() == Need.LATER).toList();
    List<AzureRight> now = rights.stream().filter(right -> right.need() != Need.LATER).toList();
    String takes = "deny assignment %s takes what %s";
    for (Denial denial : denials) {
      if (concerns(denial) && takesAny(denial, now)) {
        return locked(check, CheckVerdict.FAIL, takes.formatted(denial.name(), "is needed"));
      }
    }
    for (Denial denial : denials) {
      if (concerns(denial) && takesAny(denial, later)) {
        return locked(
            check, CheckVerdict.WARN, takes.formatted(denial.name(), "mode = write needs"));
      }
    }
    return Finding.ok(check, "no deny assignment takes what is needed");
  }

  private static Optional<String> refusal(Look<List<Balancer>> look) {
    return look instanceof Failed<List<Balancer>> failed
            && error(failed) == AzureError.DENY_ASSIGNMENT
        ? Optional.of(failed.why())
        : Optional.empty();
  }

  private static AzureError error(Failed<?> failed) {
    return AzureError.of(failed.status(), failed.code());
  }

  private boolean concerns(Denial denial) {
    Optional<String> own = facts.identity().flatMap(Token::object).map(Names::fold);
    boolean named =
        denial.principals().contains(EVERYBODY)
            || own.filter(denial.principals()::contains).isPresent();
    return named && own.filter(denial.excluded()::contains).isEmpty();
  }

  private static boolean takesAny(Denial denial, List<AzureRight> rights) {
    return rights.stream()
        .map(right -> right.action().text())
        .anyMatch(action -> denial.takes().stream().anyMatch(grant -> grant.has(action)));
  }

  private static Finding locked(String check, CheckVerdict verdict, String detail) {
    return new Finding(check, verdict, detail, Fix.UNLOCK.text() + "\n" + Fix.UNLOCK.command());
  }

  private Finding services() {
    String check = "azure: pools of Services";
    if (known.withoutPool().isEmpty()) {
      return Finding.notTested(check, "only the leader knows them");
    }
    List<CauseText> causes = known.withoutPool().get();
    return causes.isEmpty()
        ? Finding.ok(check, "each Service that wants one has one")
        : Finding.fail(
            check,
            causes.stream().map(CauseText::title).collect(Collectors.joining("; ")),
            causes.stream().map(CauseText::todo).collect(Collectors.joining("\n")));
  }

  private Finding quota() {
    String check = "azure: quota";
    Optional<Long> reads = known.quota().reads();
    Optional<Long> writes = known.quota().writes();
    String detail =
        "reads left: %s, writes left: %s"
            .formatted(
                reads.map("%,d"::formatted).orElse("not said yet"),
                writes.map("%,d"::formatted).orElse("not said yet"));
    if (reads.orElse(FEW) < FEW || writes.orElse(FEW) < FEW) {
      return Finding.warn(
          check,
          detail,
          "Others use this identity or subscription, too; see turnstile.reads and"
              + " turnstile.writes.");
    }
    return reads.isEmpty() && writes.isEmpty()
        ? Finding.notKnown(check, detail)
        : Finding.ok(check, detail);
  }
}
