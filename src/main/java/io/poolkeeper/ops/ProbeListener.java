package io.poolkeeper.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Serves the port of the kubelet's probes, which anybody may reach. Its one thread does nothing
 * else and never waits, so that it closes connections of a flood faster than they come. Each
 * connection has one answer, and is open for a short time only.
 */
final class ProbeListener {
  /** An answer's text with its status and media type. */
  record Answer(int status, String type, String body) {}

  /** The most connections at once, each with less than {@link #MAX_HEAD} bytes: some 16 MiB. */
  static final int CONNECTIONS = 1_024;

  static final int PER_ADDRESS = 8;

  /** The size in bytes of a request up to its body. */
  private static final int MAX_HEAD = 4 << 10;

  /** The kernel keeps so many while the thread has no CPU; they are accepted within some 0.3 s. */
  private static final int BACKLOG = 4_096;

  /** The time from accepting a connection to its end. */
  private static final Duration MAX_LIFETIME = Duration.ofSeconds(2);

  private final Map<String, Supplier<CompletionStage<Answer>>> answers;
  private final Places<Channel> places;

  /**
   * Not bound yet.
   *
   * @param answers by path; none fails, and each comes within a second
   * @param connections at once
   */
  ProbeListener(Map<String, Supplier<CompletionStage<Answer>>> answers, int connections) {
    this.answers = Map.copyOf(answers);
    places = new Places<>(connections, PER_ADDRESS);
  }

  /** Serves until the system ends; port 0 takes any free one. */
  CompletionStage<InetSocketAddress> bind(ActorSystem<?> system, String host, int port) {
    NioEventLoopGroup thread = new NioEventLoopGroup(1, new DefaultThreadFactory("probes", true));
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "end-probes-" + port,
            () -> end(thread));
    CompletableFuture<InetSocketAddress> bound = new CompletableFuture<>();
    new ServerBootstrap()
        .group(thread)
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .childOption(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MAX_HEAD))
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                accepted(channel);
              }
            })
        .bind(host, port)
        .addListener(
            (ChannelFuture done) -> {
              if (done.isSuccess()) {
                bound.complete((InetSocketAddress) done.channel().localAddress());
              } else {
                bound.completeExceptionally(done.cause());
              }
            });
    return bound;
  }

  private static CompletionStage<Done> end(NioEventLoopGroup thread) {
    CompletableFuture<Done> ended = new CompletableFuture<>();
    thread
        .shutdownGracefully(0, 1, TimeUnit.SECONDS)
        .addListener(done -> ended.complete(Done.getInstance()));
    return ended;
  }

  private void accepted(SocketChannel channel) {
    InetSocketAddress from = channel.remoteAddress();
    // Unknown: the client has gone already.
    if (from == null) {
      close(channel);
      return;
    }
    Optional<Channel> evicted = places.take(from.getAddress(), channel);
    evicted.ifPresent(ProbeListener::close);
    ScheduledFuture<?> over =
        channel
            .eventLoop()
            .schedule(() -> close(channel), MAX_LIFETIME.toMillis(), TimeUnit.MILLISECONDS);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              over.cancel(false);
              places.leave(channel);
            });
    channel
        .pipeline()
        .addLast(
            new HttpServerCodec(
                new HttpDecoderConfig()
                    .setMaxInitialLineLength(MAX_HEAD / 2)
                    .setMaxHeaderSize(MAX_HEAD)),
            new SimpleChannelInboundHandler<HttpObject>() {
              // Others may have come with the first one, and are not answered.
              private boolean answered;

              @Override
              protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
                if (part instanceof HttpRequest request && !answered) {
                  answered = true;
                  context.channel().config().setAutoRead(false);
                  answer(context, request);
                }
              }

              @Override
              public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
                close(context.channel());
              }
            });
  }

  private static void close(Channel channel) {
    var unused = channel.close();
  }

  private void answer(ChannelHandlerContext context, HttpRequest request) {
    Supplier<CompletionStage<Answer>> answer =
        answers.get(new QueryStringDecoder(request.uri()).path());
    if (request.decoderResult().isFailure()) {
      send(context, new Answer(400, "text/plain", ""));
    } else if (answer == null || !request.method().equals(HttpMethod.GET)) {
      send(context, new Answer(404, "text/plain", ""));
    } else {
      answer.get().thenAccept(found -> send(context, found));
    }
  }

  private static void send(ChannelHandlerContext context, Answer answer) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.copiedBuffer(answer.body(), UTF_8));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, "close");
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }
}
