package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads kubeconfig files, merged as {@code kubectl} does: the first file that sets {@code
 * current-context}, or an entry of a name, counts. Paths in a file are relative to its directory.
 * Settings that only {@code kubectl} follows are refused. All problems are reported at once.
 */
final class Kubeconfig {
  private final String files;
  private final List<Parsed> parsed;
  private final List<String> problems = new ArrayList<>();

  private record Parsed(Path file, io.fabric8.kubernetes.api.model.Config content) {
    <T> Entry<T> entry(@Nullable String name, @Nullable T body, Supplier<T> empty) {
      return new Entry<>(
          file, Objects.requireNonNullElse(name, ""), Objects.requireNonNullElseGet(body, empty));
    }
  }

  /** A named context, cluster or user, with its file. */
  record Entry<T>(Path file, String name, T body) {
    /** The place of a member of the entry, for messages. */
    String place(String kind, String member) {
      return "%s: %s \"%s\": %s: ".formatted(file, kind, name, member);
    }
  }

  private Kubeconfig(String files, List<Parsed> parsed) {
    this.files = files;
    this.parsed = parsed;
  }

  /**
   * What a client needs to know.
   *
   * @param names files, of which one must exist
   * @param context instead of the current one
   * @throws KubeconfigException with all that is wrong
   */
  static Config config(
      List<Path> names,
      Optional<String> context,
      Map<String, String> environment,
      KubernetesSerialization yaml,
      InstantSource wall) {
    List<Path> found = names.stream().filter(Files::exists).toList();
    if (found.isEmpty()) {
      throw new KubeconfigException("no kubeconfig: no file " + join(names, " or "));
    }
    List<Parsed> parsed = found.stream().map(file -> parse(file, yaml)).toList();
    return new Kubeconfig(join(found, ", "), parsed).config(context, environment, wall);
  }

  private static String join(List<Path> files, String between) {
    return String.join(between, files.stream().map(Path::toString).toList());
  }

  private static Parsed parse(Path file, KubernetesSerialization yaml) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new KubeconfigException(file + ": cannot be read as a kubeconfig");
    }
    try (InputStream in = Files.newInputStream(file)) {
      var content = yaml.unmarshal(in, io.fabric8.kubernetes.api.model.Config.class);
      // An empty file says nothing, which is allowed for one of several.
      return new Parsed(
          file,
          Objects.requireNonNullElseGet(content, io.fabric8.kubernetes.api.model.Config::new));
    } catch (IOException | RuntimeException malformed) {
      throw new KubeconfigException(file + ": is no kubeconfig: " + Causes.text(malformed));
    }
  }

  private Config config(
      Optional<String> asked, Map<String, String> environment, InstantSource wall) {
    String current = contextName(asked);
    Entry<Context> context =
        find(current, this::contexts)
            .orElseThrow(
                () ->
                    new KubeconfigException(
                        "%s: %s: found \"%s\", expected one of %s"
                            .formatted(
                                files,
                                asked.isPresent() ? "--context" : "current-context",
                                current,
                                contextNames())));
    Config config = Config.empty();
    config.setNamespace(context.body().getNamespace());
    Optional<Entry<Cluster>> cluster = cluster(context);
    cluster.ifPresent(
        entry -> problems.addAll(new KubeconfigCluster(entry, environment).applyTo(config)));
    Optional<KubeconfigUser> user =
        user(context).map(entry -> new KubeconfigUser(entry, cluster, wall));
    user.ifPresent(known -> problems.addAll(known.applyTo(config)));
    if (!problems.isEmpty()) {
      throw new KubeconfigException(String.join("\n", problems));
    }
    // Only now: a plugin runs.
    user.flatMap(KubeconfigUser::token).ifPresent(config::setOauthTokenProvider);
    return config;
  }

  private String contextName(Optional<String> asked) {
    return Stream.concat(
            asked.stream(),
            parsed.stream()
                .map(file -> Objects.requireNonNullElse(file.content().getCurrentContext(), "")))
        .filter(name -> !name.isBlank())
        .findFirst()
        .orElseThrow(
            () ->
                new KubeconfigException(
                    files + ": current-context: found nothing, expected the name of a context"));
  }

  private Optional<Entry<Cluster>> cluster(Entry<Context> context) {
    String name = Objects.requireNonNullElse(context.body().getCluster(), "");
    Optional<Entry<Cluster>> found =
        find(name, this::clusters).filter(entry -> given(entry.body().getServer()));
    if (found.isEmpty()) {
      problems.add(
          "%s: clusters: no cluster \"%s\" with a server, which context \"%s\" names"
              .formatted(files, name, context.name()));
    }
    return found;
  }

  /** The user of a context; empty if it names none, and calls are anonymous. */
  private Optional<Entry<AuthInfo>> user(Entry<Context> context) {
    String name = Objects.requireNonNullElse(context.body().getUser(), "");
    Optional<Entry<AuthInfo>> found = find(name, this::users);
    if (found.isEmpty() && !name.isBlank()) {
      problems.add(
          "%s: users: no user \"%s\", which context \"%s\" names"
              .formatted(files, name, context.name()));
    }
    return found;
  }

  private Stream<Entry<Context>> contexts(Parsed parsed) {
    return WatchedKind.present(parsed.content().getContexts())
        .map(named -> parsed.entry(named.getName(), named.getContext(), Context::new));
  }

  private Stream<Entry<Cluster>> clusters(Parsed parsed) {
    return WatchedKind.present(parsed.content().getClusters())
        .map(named -> parsed.entry(named.getName(), named.getCluster(), Cluster::new));
  }

  private Stream<Entry<AuthInfo>> users(Parsed parsed) {
    return WatchedKind.present(parsed.content().getUsers())
        .map(named -> parsed.entry(named.getName(), named.getUser(), AuthInfo::new));
  }

  private List<String> contextNames() {
    return parsed.stream().flatMap(this::contexts).map(Entry::name).distinct().toList();
  }

  private <T> Optional<Entry<T>> find(String name, Function<Parsed, Stream<Entry<T>>> list) {
    return parsed.stream().flatMap(list).filter(entry -> entry.name().equals(name)).findFirst();
  }

  /** A path of an entry, which is relative to its file. */
  static @Nullable String resolved(Path file, @Nullable String path) {
    return path == null || path.isBlank()
        ? null
        : file.toAbsolutePath().resolveSibling(path).normalize().toString();
  }

  /** Whether a text is set, and not blank. */
  static boolean given(@Nullable String text) {
    return text != null && !text.isBlank();
  }

  /** An address with a scheme and a host, if the text is one. */
  static Optional<URI> address(String text) {
    try {
      return Optional.of(URI.create(text.strip()))
          .filter(url -> url.getScheme() != null && url.getHost() != null);
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
