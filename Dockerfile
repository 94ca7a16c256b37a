# Dockerfile: kilnd and the shared libraries it loads, nothing else: no shell, no
# package manager, no writable file. `./dev image` builds, runs and checks it.
FROM debian:bookworm-slim AS build
WORKDIR /src
COPY dev ./
RUN apt-get update -qq \
 && ./dev packages build | DEBIAN_FRONTEND=noninteractive xargs \
    apt-get install -y -qq --no-install-recommends >/dev/null
COPY . .
RUN cmake --preset release -DKILN_BUILD_TESTS=OFF -DKILN_BUILD_TOOLS=OFF \
    -DKILN_INSTALL=OFF \
 && cmake --build --preset release --target kilnd \
 && deploy/image_root.sh build/release/bin/kilnd /root-of-image

FROM scratch
COPY --from=build /root-of-image /
USER 65532:65532
EXPOSE 5456
ENV KILN_LISTEN=0.0.0.0:5456
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/kilnd", "--probe"]
ENTRYPOINT ["/kilnd"]
