package io.poolkeeper.ops;

import java.util.List;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * The status page: static files from the class path. It may call its own host only, and run its own
 * files only.
 */
final class PageRoutes extends AllDirectives {
  private static final String FOLDER = "page/";
  private static final List<String> FILES = List.of("page.css", "page.js", "pools.js", "parts.js");
  private static final List<HttpHeader> HEADERS =
      List.of(
          RawHeader.create(
              "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                  + " img-src 'self' data:; base-uri 'none'; form-action 'none';"
                  + " frame-ancestors 'none'"),
          RawHeader.create("X-Content-Type-Options", "nosniff"),
          RawHeader.create("Referrer-Policy", "no-referrer"),
          RawHeader.create("Cache-Control", "no-cache"));

  Route routes() {
    Route index = pathSingleSlash(() -> getFromResource(FOLDER + "index.html"));
    return respondWithHeaders(
        HEADERS,
        () ->
            FILES.stream()
                .map(name -> path(name, () -> getFromResource(FOLDER + name)))
                .reduce(index, (routes, route) -> concat(routes, route)));
  }
}
