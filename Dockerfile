FROM swift:6.3-bookworm AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    libcurl4-gnutls-dev libgnutls28-dev libmicrohttpd-dev libpq-dev libsqlite3-dev nettle-dev zlib1g-dev pkg-config \
    cmark-gfm python3-pygments \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
# The tests are not built, but the manifest names their folders.
COPY Tests Tests
COPY Sources Sources
# Without named time zones, which no example needs: see the guide's article Hosting.
# Without Foundation's errors, which no example throws: they would add 44 MB.
RUN swift build -c release --static-swift-stdlib --disable-default-traits --product uifusion \
  && strip -o /uifusion .build/release/uifusion
COPY .ci/docs .ci/docs
COPY Public Public
RUN .ci/docs

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="UIFusion" \
  org.opencontainers.image.description="Hosts view models over HTTP" \
  org.opencontainers.image.licenses="MIT"
RUN apt-get update \
  && apt-get install -y --no-install-recommends libcurl3-gnutls libgnutls30 libmicrohttpd12 libnettle8 libpq5 libsqlite3-0 zlib1g \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /uifusion /usr/local/bin/uifusion
COPY --from=build /source/Public /usr/share/uifusion/Public
# Others reach the service at this address, so its sessions are not inspected, and it keeps no days of full history:
# --inspect on and --history-days 7 ask for both.
ENV UIFUSION_DATA=/data \
  UIFUSION_HOST=0.0.0.0 \
  UIFUSION_LOG=json \
  UIFUSION_PUBLIC=/usr/share/uifusion/Public
# The folder of the store: a new volume takes over its owner.
RUN install -d -m 700 -o 10001 -g 10001 /data
VOLUME /data
# A numeric user needs no account, and Kubernetes can see that it is not root.
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
# Takes the port from UIFUSION_PORT, not from a flag of serve.
HEALTHCHECK --interval=10s --timeout=6s --start-period=5s CMD ["uifusion", "health"]
ENTRYPOINT ["uifusion"]
CMD ["serve"]
