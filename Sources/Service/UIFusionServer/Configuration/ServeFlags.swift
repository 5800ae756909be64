import FusionHTTPMessages
import FusionSessionAPI

extension Configuration: FlagSettings {}

extension Flag<Configuration> {
  static let host = Flag(
    name: "host",
    value: "ADDRESS",
    help: "address to listen on",
    defaultValue: Configuration().host
  ) { (text, configuration) throws(BadValue) in
    // In brackets, as in a URL (RFC 3986 §3.2.2), or without.
    let address =
      text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
    guard !address.isEmpty else { throw BadValue(expected: "an address") }
    configuration.host = String(address)
  }

  static let port = Flag(
    "port",
    "PORT",
    "port to listen on; 0 picks a free one",
    \.port,
    0...65_535
  )

  static let socket = Flag(
    "socket",
    "PATH",
    "Unix socket to listen on, instead of a port",
    \.socket
  )

  static let adminPort = Flag(
    "admin-port",
    "PORT",
    "one more port, for health and metrics alone",
    \.adminPort,
    0...65_535,
    defaultValue: "none"
  )

  static let forwardedHeader = Flag(
    name: "forwarded-header",
    value: "KIND",
    help: "where it tells: x-forwarded, forwarded",
    defaultValue: Configuration().forwardedHeader.rawValue
  ) { (text, configuration) throws(BadValue) in
    guard let header = ForwardedHeader(rawValue: text) else {
      throw BadValue(expected: "one of any, x-forwarded, forwarded")
    }
    configuration.forwardedHeader = header
  }

  static let basePath = Flag(
    name: "base-path",
    value: "PATH",
    help: "path below which a proxy has it",
    defaultValue: Configuration().basePath
  ) { (text, configuration) throws(BadValue) in
    guard BasePath(text) != nil else { throw BadValue(expected: "a path such as /app") }
    configuration.basePath = text
  }

  static let csp = Flag(
    name: "csp",
    value: "POLICY",
    help: "what pages may load, too (CSP); repeatable",
    defaultValue: "none",
    isRepeatable: true
  ) { (text, configuration) throws(BadValue) in
    // No source has a comma (CSP §2.3.1).
    let additions = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard additions.allSatisfy({ ContentSecurityPolicy.Addition($0) != nil }) else {
      throw BadValue(expected: "a \(ContentSecurityPolicy.Addition.example)")
    }
    configuration.contentSecurityPolicy = additions
  }

  /// Every flag, in the order in which the help lists them.
  package static var all: [Flag] {
    [
      host, port, socket, adminPort, nodeAddress, nodeSecretFile,
      Flag(
        name: "data",
        value: "FOLDER|memory|postgres://…",
        help: "where sessions are kept",
        defaultValue: Configuration().data.description
      ) { (text, configuration) throws(BadValue) in
        guard !text.isEmpty else { throw BadValue(expected: "a folder, or memory") }
        configuration.data = try SessionStorage(text)
      },
      Flag(
        "durability",
        "what acknowledged Inputs survive",
        \.durability
      ),
      Flag(
        "threads",
        "N",
        "threads for connections; 0: one per processor",
        \.threads,
        0...1024
      ),
      Flag("public", "FOLDER", "folder of the front end", \.publicFolder),
      Flag("session-ttl", "how long an idle session is kept", \.sessionTTL, atLeast: 0.001),
      Flag("sleep-after", "how long an idle session stays in memory", \.sleepAfter, atLeast: 1),
      Flag("wake-interrupted", onOff: "wake what was at work, at the start", \.wakeInterrupted),
      Flag("heartbeat", "how long a stream may be silent", \.heartbeat, atLeast: 0.02),
      Flag("drain", "how long a stop waits for answers", \.drain),
      Flag("drain-delay", "how long a stop announces itself first", \.drainDelay),
      Flag("max-body", "BYTES", "size of a request's body", \.maxBody, 1...1 << 30),
      Flag(
        "max-queued-inputs",
        "N",
        "Inputs that may wait in a session",
        \.maxQueuedInputs,
        1...1_000_000
      ),
      Flag("max-batch", "N", "Inputs in a batch", \.maxBatch, 1...1_000_000),
      Flag("max-state", "BYTES", "size of a State as JSON", \.maxState, 1...1 << 30),
      Flag(
        "max-history",
        "BYTES",
        "history of all sessions on disk",
        \.maxHistory,
        0...1 << 50
      ),
      Flag("lock-wait", "how long a start waits for the folder's lock", \.lockWait),
      Flag(
        "max-memory",
        "BYTES",
        "memory in use beyond which more is refused",
        \.maxMemory,
        0...1 << 50
      ),
      Flag("max-sessions", "N", "sessions", \.maxSessions, 1...100_000_000),
      Flag("max-streams", "N", "streams", \.maxStreams, 0...10_000_000),
      Flag(
        "max-sessions-per-client",
        "N",
        "sessions that one client has created",
        \.maxSessionsPerClient,
        1...100_000_000,
        defaultValue: "\(ClientLimits.usualSessions)"
      ),
      Flag(
        "max-streams-per-client",
        "N",
        "streams of one client",
        \.maxStreamsPerClient,
        1...10_000_000,
        defaultValue: "\(ClientLimits.usualStreams)"
      ),
      Flag(
        "inputs-per-second",
        "N",
        "Inputs that one client may send",
        \.inputsPerSecond,
        1...1_000_000,
        defaultValue: "none"
      ),
      Flag("max-connections", "N", "connections", \.maxConnections, 1...10_000_000),
      Flag(
        "allow-origin",
        "ORIGIN",
        "other origin whose pages may use it; repeatable",
        \.allowOrigins,
        defaultValue: "none",
        example: "an origin such as https://example.org",
        AllowedOrigins.normalized
      ),
      Flag(
        "allow-host",
        "HOST",
        "Host that is answered; repeatable",
        \.allowHosts,
        defaultValue: "loopback names, or any",
        example: "a host such as example.org or example.org:8080",
        AllowedHosts.normalized
      ),
      Flag(
        "trusted-proxy",
        "CIDR",
        "proxy that is believed about its clients; repeatable",
        \.trustedProxies,
        defaultValue: "none",
        example: "unix, an address or a network such as 10.0.0.0/8",
        { text in
          var proxies = TrustedProxies()
          return proxies.add(text) ? text : nil
        }
      ),
      forwardedHeader, basePath, csp,
      Flag("tls-cert", "FILE", "certificate in PEM, to speak TLS", \.tlsCertificate),
      Flag("tls-key", "FILE", "the certificate's key in PEM", \.tlsKey),
      Flag("hsts", "SECONDS", "how long browsers keep to TLS", \.hsts, 0...63_072_000),
      Flag("log", "how a line of the log is written", \.logFormat),
      Flag("log-level", "what is logged at the least", \.logLevel),
      Flag("access-log", onOff: "a line for each request, at info", \.accessLog),
      Flag("server-timing", onOff: "say on answers how long they took", \.serverTiming),
    ]
  }
}
