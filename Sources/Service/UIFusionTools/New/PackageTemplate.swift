/// The texts of a new package's files.
struct PackageTemplate: Sendable {
  let name: PackageName
  let source: PackageSource
  var parts: Set<PackagePart> = []

  /// The days for which an idle session is kept: what a user has made is to be there at their next visit.
  static let daysKept = 30
  static let secondsKept = daysKept * 86_400

  /// Debian's packages of the C libraries that UIFusion is built with.
  static let libraries =
    "libcurl4-gnutls-dev libgnutls28-dev libmicrohttpd-dev libpq-dev libsqlite3-dev nettle-dev zlib1g-dev pkg-config"
}

// MARK: Files that build and run the package

extension PackageTemplate {
  /// `Package.swift`.
  var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription
    \(folderInManifest)
    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        // With traits: [] as its last argument, a static program is 44 MB smaller, without Foundation: an NSError
        // then has neither text nor user info.
        \(source.dependency)
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [
            \(product("UIFusionKit")),
            \(product("UIFusionServer")),
            \(product("UIFusionTools")),
          ]
        ),
        .testTarget(
          name: "\(name.tests)",
          dependencies: [
            "\(name)",
            \(product("UIFusionKit")),
            \(product("UIFusionTesting")),
          ]
        ),
      ]
    )

    """
  }

  private func product(_ library: String) -> String {
    #".product(name: "\#(library)", package: "\#(source.packageName)")"#
  }

  private var folderInManifest: String {
    guard case .folder(let path) = source else { return "" }
    return """

      // The folder of UIFusion; the Makefile and the Dockerfile may set another.
      let uifusion = Context.environment["UIFUSION"] ?? "\(path)"

      """
  }

  /// `Makefile`.
  var makefile: String {
    """
    # make run     build and run on http://127.0.0.1:8080; ARGS="--port 9000" adds flags
    # make dev     the same, and build and restart it when a file changes
    # make test    run the tests
    # make image   build a container's image

    # An idle session is kept for \(Self.daysKept) days; the Dockerfile says the same.
    export UIFUSION_SESSION_TTL ?= \(Self.secondsKept)
    \(folderInMakefile)# The C libraries of UIFusion, in Debian 12.
    PACKAGES := \(Self.libraries)

    .PHONY: run dev test image packages

    run: packages
    \tswift run \(name) serve $(ARGS)

    dev: packages
    \tswift run \(name) dev $(ARGS)

    test: packages
    \tswift test
    \(keysInMakefile)
    image:
    \tdocker build \(imageContext)-t \(name.image) .

    # Only asks for rights where something is missing.
    packages:
    \t@missing=$$(for p in $(PACKAGES); do \\
    \t    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \\
    \t  [ -z "$$missing" ] || { sudo=$$([ $$(id -u) = 0 ] || echo sudo); \\
    \t    $$sudo apt-get update -qq && $$sudo apt-get install -y -qq $$missing; }

    """
  }

  private var folderInMakefile: String {
    guard case .folder(let path) = source else { return "" }
    return "# The folder of UIFusion.\nexport UIFUSION ?= \(path)\n"
  }

  private var imageContext: String {
    if case .folder = source { "--build-context uifusion=$(UIFUSION) " } else { "" }
  }

  /// `Dockerfile`.
  var dockerfile: String {
    """
    # make image builds this.
    # Named time zones need Foundation's formats, and no days of full history are kept unless --history-days asks for
    # them: see UIFusion's articles Hosting and Flags.
    FROM swift:6.3-bookworm AS build
    RUN apt-get update \\
      && apt-get install -y --no-install-recommends \\
        \(Self.libraries) \\
      && rm -rf /var/lib/apt/lists/*
    \(folderInImage)WORKDIR /source
    COPY . .
    # The cache has what an earlier build made.
    RUN --mount=type=cache,id=\(name.image),target=/source/.build \\
      swift build -c release --static-swift-stdlib --product \(name) \\
      && strip -o /\(name) .build/release/\(name)

    FROM debian:bookworm-slim
    RUN apt-get update \\
      && apt-get install -y --no-install-recommends libcurl3-gnutls libgnutls30 libmicrohttpd12 libnettle8 libpq5 libsqlite3-0 zlib1g \\
      && rm -rf /var/lib/apt/lists/*
    COPY --from=build /\(name) /usr/local/bin/\(name)
    COPY Public /usr/share/\(name)/Public
    ENV UIFUSION_DATA=/data UIFUSION_HOST=0.0.0.0 UIFUSION_LOG=json UIFUSION_PUBLIC=/usr/share/\(name)/Public
    # An idle session is kept for \(Self.daysKept) days.
    ENV UIFUSION_SESSION_TTL=\(Self.secondsKept)
    RUN install -d -m 700 -o 10001 -g 10001 /data
    VOLUME /data
    USER 10001:10001
    EXPOSE 8080
    HEALTHCHECK --interval=10s --timeout=6s --start-period=5s CMD ["\(name)", "health"]
    ENTRYPOINT ["\(name)"]
    CMD ["serve"]

    """
  }

  private var folderInImage: String {
    guard case .folder = source else { return "" }
    return """
      # UIFusion is a second build context, of which its tests are no part.
      ENV UIFUSION=/uifusion
      WORKDIR /uifusion
      COPY --from=uifusion Package.swift ./
      COPY --from=uifusion Sources Sources

      """
  }

  /// `.gitignore`: build products and sessions.
  var gitignore: String {
    """
    .build/
    .uifusion/
    .keys

    """
  }

  /// `.dockerignore`: all but the files that the Dockerfile copies.
  var dockerignore: String {
    """
    *
    !Package.swift
    !Package.resolved
    !Public
    !Sources
    !Tests

    """
  }
}
