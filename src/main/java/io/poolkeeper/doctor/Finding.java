package io.poolkeeper.doctor;

/**
 * The result of one check.
 *
 * @param check its name
 * @param detail one line
 * @param fix what to do, lines; empty if nothing is to be done
 */
public record Finding(String check, CheckVerdict verdict, String detail, String fix) {
  static Finding ok(String check, String detail) {
    return new Finding(check, CheckVerdict.OK, detail, "");
  }

  static Finding warn(String check, String detail, String fix) {
    return new Finding(check, CheckVerdict.WARN, detail, fix);
  }

  static Finding fail(String check, String detail, String fix) {
    return new Finding(check, CheckVerdict.FAIL, detail, fix);
  }

  static Finding notKnown(String check, String detail) {
    return new Finding(check, CheckVerdict.NOT_KNOWN, detail, "");
  }

  static Finding notTested(String check, String detail) {
    return new Finding(check, CheckVerdict.NOT_TESTED, detail, "");
  }
}
