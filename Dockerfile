# BASE=$(skopeo inspect --format '{{.Name}}@{{.Digest}}' docker://docker.io/library/maven:3.9-eclipse-temurin-25)
# docker build --build-arg BASE=$BASE --build-arg COMMIT=$(git rev-parse --short HEAD) -t poolkeeper .
# Keep BASE with the image: a tag alone, which means something else tomorrow, is refused.
# The image takes the same command line as ./poolkeeper, without lab, arm-sim and simulate: these are in the target lab.
# `mvn -Pimage package` assembles the same root file system without a container engine (deploy/image/root).

ARG BASE
FROM ${BASE} AS build
ARG BASE
RUN case $BASE in *@sha256:*) ;; *) echo "BASE has no digest: --build-arg BASE=NAME@sha256:..., found $BASE" >&2; exit 1 ;; esac
WORKDIR /build
# Dependencies in a layer of their own: they change less often than the sources.
COPY .mvn .mvn
COPY pom.xml .
RUN mvn --batch-mode -Dprogram package
COPY LICENSE .
COPY src src
COPY deploy/first deploy/first
COPY deploy/image deploy/image
ARG COMMIT=unknown
# Checks and tests run before an image is built, not during the build. Files keep their times, which the cache is compared with.
RUN mvn --batch-mode -Dprogram -Pimage -Dpoolkeeper.commit=$COMMIT clean package \
 && mkdir /libraries /program \
 && cp target/program/poolkeeper-*-lab.jar /poolkeeper-lab.jar \
 && cd target/program/image/root/opt/poolkeeper \
 && mv lib licenses /libraries/ \
 && mv poolkeeper.jar poolkeeper.aot bom.json controller command /program/

FROM scratch AS program
# What changes seldom comes first: these layers are the same from build to build.
COPY --from=build /build/target/program/image/root /
COPY --from=build /libraries /opt/poolkeeper
COPY --from=build /program /opt/poolkeeper
# Only temporary files are written, so the root file system can be read-only with a volume on /tmp.
WORKDIR /tmp
USER 65532:65532
EXPOSE 8558 8559
ENV MALLOC_ARENA_MAX=2
ENTRYPOINT ["/opt/poolkeeper/runtime/bin/java", "@/opt/poolkeeper/controller"]
CMD ["--help"]

# docker build --target lab: the same, with the commands lab, arm-sim and simulate. Another class path, so without the cache.
FROM program AS lab
COPY --from=build /build/target/program/lab-lib /opt/poolkeeper/lab-lib
COPY --from=build /poolkeeper-lab.jar /opt/poolkeeper/
ENTRYPOINT ["/opt/poolkeeper/runtime/bin/java", \
  "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", \
  "-XX:MaxRAMPercentage=50", "-XX:+ExitOnOutOfMemoryError", \
  "-cp", "/opt/poolkeeper/poolkeeper.jar:/opt/poolkeeper/poolkeeper-lab.jar:/opt/poolkeeper/lab-lib/*", \
  "io.poolkeeper.Main"]

# The default: what runs in a cluster.
FROM program AS controller
