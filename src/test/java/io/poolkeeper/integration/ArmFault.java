package io.poolkeeper.integration;

import java.util.regex.Pattern;

/** Unusable answers of ARM, or of a proxy in front of it. */
enum ArmFault {
  UNAUTHORIZED("\"status\":401,\"code\":\"InvalidAuthenticationToken\""),
  FORBIDDEN("\"status\":403,\"code\":\"AuthorizationFailed\""),
  GROUP_NOT_FOUND("\"status\":404,\"code\":\"ResourceGroupNotFound\""),
  HTML_PAGE("\"status\":200,\"body\":\"<html>Sign in</html>\",\"contentType\":\"text/html\""),
  HTML_ERROR("\"status\":403,\"body\":\"<html>Blocked</html>\",\"contentType\":\"text/html\""),
  EMPTY_BODY("\"status\":200,\"body\":\"\""),
  TRUNCATED_JSON("\"status\":200,\"body\":\"{\\\"properties\\\":{\""),
  CONNECTION_CUT("\"status\":200,\"body\":\"{\\\"properties\\\":{}}\",\"reset\":true");

  private final String members;

  ArmFault(String members) {
    this.members = members;
  }

  /** The rule that answers all requests of a method whose path matches. */
  String rule(String method, String path) {
    return "{\"method\":\"%s\",\"path\":\"%s\",%s}".formatted(method, path, members);
  }

  /** The error in the event for such an answer to a GET. */
  Pattern error() {
    return Pattern.compile(text("HTTP 200 answer: "));
  }

  /**
   * The error in the event for such an answer to a PUT; after a success without a valid operation
   * its end is unknown.
   */
  Pattern putError() {
    return Pattern.compile(text("HTTP 200 how the write ended is not known: answer: "));
  }

  /** Whether a GET with such an answer is retried: only without a complete answer. */
  boolean mayPass() {
    return this == CONNECTION_CUT;
  }

  /** Whether a PUT with such an answer is retried: also if its end is unknown. */
  boolean putMayPass() {
    return switch (this) {
      case UNAUTHORIZED, FORBIDDEN, GROUP_NOT_FOUND, HTML_ERROR -> false;
      case HTML_PAGE, EMPTY_BODY, TRUNCATED_JSON, CONNECTION_CUT -> true;
    };
  }

  private String text(String unreadable) {
    return switch (this) {
      case UNAUTHORIZED ->
          Pattern.quote("HTTP 401 InvalidAuthenticationToken: Injected by a fault rule.");
      case FORBIDDEN -> Pattern.quote("HTTP 403 AuthorizationFailed: Injected by a fault rule.");
      case GROUP_NOT_FOUND ->
          Pattern.quote("HTTP 404 ResourceGroupNotFound: Injected by a fault rule.");
      case HTML_PAGE ->
          Pattern.quote(
              unreadable
                  + "the body is no complete JSON (text/html, 20 bytes): <html>Sign in</html>");
      case HTML_ERROR -> Pattern.quote("HTTP 403 answered with text/html");
      case EMPTY_BODY -> Pattern.quote(unreadable + "the body is empty");
      case TRUNCATED_JSON ->
          Pattern.quote(
              unreadable
                  + "the body is no complete JSON (application/json;"
                  + " charset=utf-8, 15 bytes): {\"properties\":{");
      case CONNECTION_CUT -> "connection reset by Azure Resource Manager";
    };
  }
}
