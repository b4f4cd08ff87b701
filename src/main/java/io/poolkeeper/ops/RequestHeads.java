package io.poolkeeper.ops;

import java.nio.ByteBuffer;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * Passes on only whole heads of requests: what a connection receives waits until an empty line has
 * come. If that is too many bytes, the connection ends. The parser behind this stage limits each
 * header, but not their sum, and begins a header anew with every part that comes.
 */
final class RequestHeads extends GraphStage<FlowShape<ByteString, ByteString>> {
  private final Inlet<ByteString> in = Inlet.create("received");
  private final Outlet<ByteString> out = Outlet.create("heads");
  private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
  private final int most;

  /** Heads of at most that many bytes. */
  RequestHeads(int most) {
    this.most = most;
  }

  @Override
  public FlowShape<ByteString, ByteString> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes inherited) {
    return new Logic();
  }

  private final class Logic extends GraphStageLogic {
    private final ByteBuffer held = ByteBuffer.allocate(most);

    /** Whether the line so far is empty. */
    private boolean lineEmpty;

    Logic() {
      super(shape);
      setHandlers(
          in,
          out,
          new AbstractInOutHandler() {
            @Override
            public void onPush() {
              received(grab(in).toArray());
            }

            @Override
            public void onPull() {
              pull(in);
            }
          });
    }

    private void received(byte[] bytes) {
      if (bytes.length > held.remaining()) {
        completeStage();
        return;
      }
      int end = 0;
      for (byte next : bytes) {
        held.put(next);
        if (next == '\n') {
          end = lineEmpty ? held.position() : end;
          lineEmpty = true;
        } else if (next != '\r') {
          lineEmpty = false;
          if (next >= 0 && next < ' ' && next != '\t') {
            // TLS has such bytes, and no head of HTTP: a client that begins TLS is not answered.
            completeStage();
            return;
          }
        }
      }
      if (end == 0) {
        pull(in);
      } else {
        push(out, ByteString.fromArray(held.array(), 0, end));
        held.flip().position(end);
        held.compact();
      }
    }
  }
}
