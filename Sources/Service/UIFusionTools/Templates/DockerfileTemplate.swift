extension PackageTemplate {
  /// `Dockerfile`.
  var dockerfile: String {
    """
    # make image builds it: UIFusion comes as a build context of its own.
    FROM swift:6.3-bookworm AS build
    RUN apt-get update \\
      && apt-get install -y --no-install-recommends \\
        libcurl4-gnutls-dev libgnutls28-dev libmicrohttpd-dev libpq-dev libsqlite3-dev nettle-dev zlib1g-dev pkg-config \\
      && rm -rf /var/lib/apt/lists/*
    WORKDIR /uifusion
    COPY --from=uifusion Package.swift ./
    COPY --from=uifusion Tests Tests
    COPY --from=uifusion Sources Sources
    WORKDIR /source
    COPY . .
    ENV UIFUSION=/uifusion
    RUN swift build -c release --static-swift-stdlib --product \(name) \\
      && strip -o /\(name) .build/release/\(name)

    FROM debian:bookworm-slim
    RUN apt-get update \\
      && apt-get install -y --no-install-recommends libcurl3-gnutls libgnutls30 libmicrohttpd12 libnettle8 libpq5 libsqlite3-0 zlib1g \\
      && rm -rf /var/lib/apt/lists/*
    COPY --from=build /\(name) /usr/local/bin/\(name)
    COPY Public /usr/share/\(name)/Public
    ENV UIFUSION_DATA=/data UIFUSION_HOST=0.0.0.0 UIFUSION_LOG=json UIFUSION_PUBLIC=/usr/share/\(name)/Public
    RUN install -d -m 700 -o 10001 -g 10001 /data
    VOLUME /data
    USER 10001:10001
    EXPOSE 8080
    HEALTHCHECK --interval=10s --timeout=6s --start-period=5s CMD ["\(name)", "health"]
    ENTRYPOINT ["\(name)"]
    CMD ["serve"]

    """
  }
}
