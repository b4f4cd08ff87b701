package io.poolkeeper.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.verify.Scratch.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** When the scratch resources are deleted, and what is said. */
class SessionTest {
  private static final Place PLACE = new Place("s", "g", "westeurope", "0000000a");
  private static final VerifyReport REPORT =
      new VerifyReport("1", "2", PLACE, List.of(), new Recorder(), new Pseudonyms("g"), false);

  private final List<String> done = new ArrayList<>();
  private final List<String> said = new ArrayList<>();

  private Session session(Runnable make, Runnable delete) {
    Scratch scratch =
        new Scratch() {
          @Override
          public String location() {
            return "westeurope";
          }

          @Override
          public List<Found> found() {
            return List.of();
          }

          @Override
          public void make(Place place) {
            make.run();
            done.add("made");
          }

          @Override
          public void delete(Place place) {
            delete.run();
            done.add("deleted");
          }
        };
    return new Session(PLACE, scratch, "the line", Duration.ofMillis(1), said::add);
  }

  private static void nothing() {}

  private static void refuse() {
    throw new Refused("a lock forbids it", false);
  }

  @Test
  void run_toTheEnd_deletesAndIsTidy() throws Exception {
    assertThat(session(SessionTest::nothing, SessionTest::nothing).run(() -> REPORT).allHold())
        .isTrue();

    assertThat(done).containsExactly("made", "deleted");
    assertThat(said).last().isEqualTo("run 0000000a: deleted");
  }

  @Test
  void run_whatCannotBeDeleted_isNamedWithTheLineThatTriesAgain() throws Exception {
    assertThat(session(SessionTest::nothing, SessionTest::refuse).run(() -> REPORT).allHold())
        .isFalse();

    assertThat(said)
        .endsWith("run 0000000a is not deleted: a lock forbids it. Try again:", "  the line");
  }

  @Test
  void run_aDeletionThatFailsForAReasonThatPasses_isTriedAgain() throws Exception {
    Session session =
        session(
            SessionTest::nothing,
            () -> {
              done.add("tried");
              if (done.size() < 4) {
                throw new Refused("503", true);
              }
            });

    assertThat(session.run(() -> REPORT).allHold()).isTrue();

    assertThat(done).containsExactly("made", "tried", "tried", "tried", "deleted");
  }

  @Test
  void run_interruptedWhileItDeletesAfterAFailure_saysTheLine_andDeletes() {
    Thread command = Thread.currentThread();
    CountDownLatch interrupted = new CountDownLatch(1);
    Session session =
        session(
            SessionTest::refuse,
            () -> {
              if (interrupted.getCount() > 0) {
                command.interrupt();
                await(interrupted);
              }
            });

    assertInterrupted(session, interrupted);
  }

  @Test
  void run_whatCannotBeMade_isDeletedInPart_andSaidOnce() {
    Session session = session(SessionTest::refuse, SessionTest::nothing);

    assertThatThrownBy(() -> session.run(() -> REPORT)).hasMessage("a lock forbids it");

    assertThat(done).containsExactly("deleted");
  }

  @Test
  void run_checksThatBreak_deleteAsWell() {
    Session session = session(SessionTest::nothing, SessionTest::nothing);

    assertThatThrownBy(
            () ->
                session.run(
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");

    assertThat(done).containsExactly("made", "deleted");
  }

  @Test
  void run_interruptedWhileItMakes_deletesWhenThatIsMade() {
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread command = Thread.currentThread();
    Session session =
        session(
            () -> {
              command.interrupt();
              await(interrupted);
            },
            SessionTest::nothing);

    assertInterrupted(session, interrupted);

    assertThat(done).containsExactly("made", "deleted");
  }

  private void assertInterrupted(Session session, CountDownLatch interrupted) {
    assertThatThrownBy(
            () ->
                new Session(
                        PLACE,
                        session.scratch(),
                        "the line",
                        Duration.ofMillis(1),
                        line -> counted(line, interrupted))
                    .run(() -> REPORT))
        .isInstanceOf(InterruptedException.class);
    assertThat(said).contains("  the line").last().isEqualTo("run 0000000a: deleted");
  }

  /** What is made ends only after the interruption was answered. */
  private void counted(String line, CountDownLatch interrupted) {
    said.add(line);
    if (line.startsWith("Interrupted")) {
      interrupted.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }
}
