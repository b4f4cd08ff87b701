package io.poolkeeper.simulation;

import java.util.List;

/** Faults in what the controller does with bindings. */
final class BindingFaults {
  private BindingFaults() {}

  static List<SeededFault> all() {
    return List.of(
        SeededFault.of(
            "ignore the hold of a binding",
            "admission/Ties.java",
            "case Admission.Held held -> Optional.of(key + \": \" + held.why());",
            "case Admission.Held held -> Optional.empty();"),
        SeededFault.of(
            "reset a check before its delay is over",
            "admission/AdmissionChecks.java",
            "until.filter(end -> !end.isAfter(now)).isPresent();",
            "until.isPresent();"),
        SeededFault.of(
            "record after the write",
            "admission/Ties.java",
            "leaving ? leaving(view) : record(view).usable();",
            "leaving ? leaving(view) : record(view).wanted();"),
        SeededFault.of(
            "remove the finalizer although addresses are in the pool",
            "admission/Reconciliation.java",
            "view.finalizer() && (!bound || cleaned(view))",
            "view.finalizer()"));
  }
}
