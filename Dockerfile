# docker build --build-arg COMMIT=$(git rev-parse --short HEAD) -t poolkeeper .
# The image takes the same command line as ./poolkeeper, without lab, arm-sim and simulate: these are in the target lab.

FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
# Dependencies in a layer of their own: they change less often than the sources.
COPY .mvn .mvn
COPY pom.xml .
RUN mvn --batch-mode -Dprogram package
COPY src src
COPY deploy/crd deploy/crd
ARG COMMIT=unknown
# Checks and tests run before an image is built, not during the build.
RUN mvn --batch-mode -Dprogram -Dpoolkeeper.commit=$COMMIT clean package \
 && mkdir /program \
 && cp -r target/lib target/lab-lib /program/ \
 && cp target/poolkeeper-*-lab.jar /program/poolkeeper-lab.jar \
 && rm target/poolkeeper-*-lab.jar \
 && cp target/poolkeeper-*.jar /program/poolkeeper.jar

FROM eclipse-temurin:25-jre AS program
# The layer of libraries first: it is the same from build to build. The jar finds lib/ beside itself.
COPY --from=build /program/lib /opt/poolkeeper/lib
COPY --from=build /program/poolkeeper.jar /opt/poolkeeper/
# Only temporary files are written, so the root file system can be read-only with a volume on /tmp.
WORKDIR /tmp
USER 65532:65532
EXPOSE 8558
# The JVM ignores missing entries of the class path: only the lab's image has the last two.
ENTRYPOINT ["java", \
  "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", \
  "-XX:MaxRAMPercentage=50", "-XX:+ExitOnOutOfMemoryError", \
  "-cp", "/opt/poolkeeper/poolkeeper.jar:/opt/poolkeeper/poolkeeper-lab.jar:/opt/poolkeeper/lab-lib/*", \
  "io.poolkeeper.Main"]
CMD ["--help"]

# docker build --target lab: the same, with the commands lab, arm-sim and simulate.
FROM program AS lab
COPY --from=build /program/lab-lib /opt/poolkeeper/lab-lib
COPY --from=build /program/poolkeeper-lab.jar /opt/poolkeeper/

# The default: what runs in a cluster.
FROM program AS controller
