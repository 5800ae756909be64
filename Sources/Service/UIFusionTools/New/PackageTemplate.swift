/// The texts of a new package's files.
struct PackageTemplate: Sendable {
  let name: PackageName
  /// The path of UIFusion's folder.
  let uifusion: String
}

// MARK: Files that build and run the package

extension PackageTemplate {
  /// `Package.swift`.
  var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    // The folder of UIFusion; the Makefile and the Dockerfile may set another.
    let uifusion = Context.environment["UIFUSION"] ?? "\(uifusion)"

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        .package(name: "UIFusion", path: uifusion)
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [
            .product(name: "UIFusionKit", package: "UIFusion"),
            .product(name: "UIFusionServer", package: "UIFusion"),
            .product(name: "UIFusionTools", package: "UIFusion"),
          ]
        ),
        .testTarget(
          name: "\(name.tests)",
          dependencies: [
            "\(name)",
            .product(name: "UIFusionKit", package: "UIFusion"),
            .product(name: "UIFusionTesting", package: "UIFusion"),
          ]
        ),
      ]
    )

    """
  }

  /// `Makefile`.
  var makefile: String {
    """
    # make run     build and run on http://127.0.0.1:8080; ARGS="--port 9000" adds flags
    # make dev     the same, and build and restart it when a file changes
    # make test    run the tests
    # make image   build a container's image

    export UIFUSION ?= \(uifusion)

    .PHONY: run dev test image

    run:
    \tswift run \(name) serve $(ARGS)

    dev:
    \tswift run \(name) dev $(ARGS)

    test:
    \tswift test

    image:
    \tdocker build --build-context uifusion=$(UIFUSION) -t \(name.image) .

    """
  }

  /// `Dockerfile`.
  var dockerfile: String {
    """
    # make image builds this; UIFusion is a second build context.
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

  /// `.gitignore`: build products and sessions.
  var gitignore: String {
    """
    .build/
    .uifusion/

    """
  }

  /// `.dockerignore`: all but the files that the Dockerfile copies.
  var dockerignore: String {
    """
    *
    !Package.swift
    !Public
    !Sources
    !Tests

    """
  }
}
