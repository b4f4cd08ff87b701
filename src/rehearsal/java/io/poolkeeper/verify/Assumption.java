package io.poolkeeper.verify;

/**
 * One assumption, and how it is tried.
 *
 * @param id a word or two, joined by hyphens
 * @param assumption what Poolkeeper or its simulator expects of Azure, as a sentence
 * @param follows what to set or know if it is otherwise
 */
record Assumption(String id, String assumption, String follows, Trial trial) {
  /** Tries it. May throw {@link Unseen}. */
  interface Trial {
    Finding run(Bench bench) throws InterruptedException;
  }

  /** What came of it. */
  record Finding(AssumptionVerdict verdict, String seen) {
    static Finding of(boolean holds, String seen) {
      return new Finding(holds ? AssumptionVerdict.HOLDS : AssumptionVerdict.DIFFERS, seen);
    }

    static Finding unknown(String seen) {
      return new Finding(AssumptionVerdict.UNKNOWN, seen);
    }
  }

  /** A call that a trial needs has failed, so that it shows nothing. */
  static final class Unseen extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unseen(String why) {
      super(why);
    }
  }
}
