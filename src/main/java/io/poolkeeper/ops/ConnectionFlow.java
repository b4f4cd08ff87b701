package io.poolkeeper.ops;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * Answers the requests of one connection, one after the other. When its time is over, the
 * connection ends: at once if it is idle, else after the current answer. A connection without a
 * complete request by then is aborted, as it may not even have begun TLS.
 */
final class ConnectionFlow extends GraphStage<FlowShape<HttpRequest, HttpResponse>> {
  private final Inlet<HttpRequest> in = Inlet.create("requests");
  private final Outlet<HttpResponse> out = Outlet.create("answers");
  private final FlowShape<HttpRequest, HttpResponse> shape = FlowShape.of(in, out);
  private final Duration lifetime;
  private final Runnable abort;
  private final Function<HttpRequest, CompletionStage<HttpResponse>> answer;

  /**
   * The flow of a connection.
   *
   * @param lifetime how long it takes requests
   * @param abort is run if no request has come by then
   * @param answer does not fail
   */
  ConnectionFlow(
      Duration lifetime,
      Runnable abort,
      Function<HttpRequest, CompletionStage<HttpResponse>> answer) {
    this.lifetime = lifetime;
    this.abort = abort;
    this.answer = answer;
  }

  @Override
  public FlowShape<HttpRequest, HttpResponse> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes inherited) {
    return new Logic();
  }

  private final class Logic extends TimerGraphStageLogic {
    private final AsyncCallback<Done> streamSent;
    private boolean asked;
    private boolean busy;
    private boolean over;

    Logic() {
      super(shape);
      streamSent = createAsyncCallback(done -> sent());
      AsyncCallback<HttpResponse> answered = createAsyncCallback(this::answered);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() throws Exception {
              asked = true;
              busy = true;
              answer.apply(grab(in)).thenAccept(answered::invoke);
            }

            @Override
            public void onUpstreamFinish() {
              end();
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(in);
            }
          });
    }

    @Override
    public void preStart() {
      scheduleOnce("over", lifetime);
    }

    @Override
    public void onTimer(Object timer) {
      if (!asked) {
        abort.run();
      }
      end();
    }

    /** Ends the connection, but after an answer that is under way. */
    private void end() {
      over = true;
      if (!busy) {
        completeStage();
      }
    }

    /** A stream is under way until it ends: the server cuts it soon after this stage has. */
    private void answered(HttpResponse response) {
      if (response.entity().isStrict()) {
        push(out, response);
        sent();
      } else {
        push(out, response.transformEntityDataBytes(watched()));
      }
    }

    private Flow<ByteString, ByteString, NotUsed> watched() {
      return Flow.<ByteString>create()
          .watchTermination(
              (unused, streamEnd) -> {
                streamEnd.whenComplete((done, broken) -> streamSent.invoke(Done.getInstance()));
                return unused;
              });
    }

    private void sent() {
      busy = false;
      if (over) {
        completeStage();
      }
    }
  }
}
