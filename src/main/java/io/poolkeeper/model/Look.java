package io.poolkeeper.model;

/** The result of one look at Azure or the cluster. */
public sealed interface Look<T> {
  record Seen<T>(T value) implements Look<T> {}

  /**
   * Nothing was seen.
   *
   * @param status of HTTP; 0 if there was no answer
   * @param code of Azure's error; empty if there was none
   * @param why one line, without secrets
   */
  record Failed<T>(int status, String code, String why) implements Look<T> {
    public boolean absent() {
      return status == 404;
    }
  }
}
