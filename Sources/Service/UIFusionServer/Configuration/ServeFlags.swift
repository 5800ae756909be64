package import FusionCommandLine
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI

extension Configuration: FlagSettings {}

extension Flag<Configuration> {
  /// The flags of `serve`, grouped by purpose.
  package static var groups: [(title: String, flags: [Flag])] {
    [
      ("Listening", listening), ("TLS", tls), ("Storage", storage),
      ("Sessions and streams", sessions), ("Pages", pages), ("Hosts, origins and proxies", access),
      ("Identities", identities),
      ("Limits", limits), ("Limits for one client", clientLimits), ("Nodes", nodes),
      ("Stopping", stopping), ("Logs", logs),
    ]
  }

  /// The flags of `serve`, in the order of the help.
  package static var all: [Flag] { groups.flatMap(\.flags) }

  static var listening: [Flag] { [host, port, socket, adminPort] }

  static let host = Flag(
    "host",
    "ADDRESS",
    "address to listen on",
    \.host,
    defaultValue: Configuration().host,
    expected: "an address"
  ) { text in
    // RFC 3986 §3.2.2: in a URL an IPv6 address is in brackets.
    let address =
      text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
    return address.isEmpty ? nil : String(address)
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
    "second port, for health and metrics alone",
    \.adminPort,
    0...65_535
  )

  private static var tls: [Flag] {
    [
      Flag("tls-cert", "FILE", "certificate in PEM, to speak TLS", \.tlsCertificate),
      Flag("tls-key", "FILE", "key of the certificate in PEM", \.tlsKey),
      Flag("hsts", "SECONDS", "time for which browsers keep to TLS", \.hsts, 0...63_072_000),
    ]
  }

  private static var storage: [Flag] {
    [
      Flag(
        name: "data",
        value: "FOLDER|memory|postgres://…",
        help: "place where sessions are stored",
        defaultValue: Configuration().data.description
      ) { (text, configuration) throws(BadValue) in
        guard !text.isEmpty else { throw BadValue(expected: "a folder, or memory") }
        configuration.data = try SessionStorage(text)
      },
      Flag("durability", "failure that acknowledged Inputs survive", \.durability),
      Flag("lock-wait", "time that a start waits for the folder's lock", \.lockWait),
      Flag(
        "max-history",
        "BYTES",
        "size of all sessions' history on disk",
        \.maxHistory,
        0...1 << 50
      ),
      Flag(
        "history-days",
        "DAYS",
        "days of full history",
        \.historyDays,
        0...3_650,
        defaultValue: "1 in a folder with --inspect, else 0"
      ),
    ]
  }

  private static var sessions: [Flag] {
    [
      Flag("session-ttl", "time that an idle session is kept", \.sessionTTL, atLeast: 0.001),
      Flag("sleep-after", "time that an idle session stays in memory", \.sleepAfter, atLeast: 1),
      Flag("wake-interrupted", onOff: "wake interrupted sessions at the start", \.wakeInterrupted),
      Flag("drop-members", onOff: "drop stored members that State no longer has", \.dropMembers),
      Flag(
        "set-aside-within",
        "two crashes within it set a session aside; 0: never",
        \.setAsideWithin
      ),
      Flag("heartbeat", "longest silence of a stream", \.heartbeat, atLeast: 0.02),
    ]
  }

  private static var pages: [Flag] {
    [
      Flag(
        "inspect",
        "on|off|local",
        "traces, stored versions, forks; local: on loopback",
        \.inspect,
        defaultValue: "local",
        expected: "one of on, off, local"
      ) { ["on": true, "off": false, "local": nil][$0] },
      Flag("public", "FOLDER", "folder of the front end", \.publicFolder),
      Flag(
        name: "csp",
        value: "POLICY",
        help: "addition to the Content-Security-Policy; repeatable",
        defaultValue: "none",
        isRepeatable: true
      ) { (text, configuration) throws(BadValue) in
        // No source contains a comma (CSP §2.3.1).
        let additions = text.split(separator: ",", omittingEmptySubsequences: false)
          .map(String.init)
        guard additions.allSatisfy({ ContentSecurityPolicy.Addition($0) != nil }) else {
          throw BadValue(expected: "a \(ContentSecurityPolicy.Addition.example)")
        }
        configuration.contentSecurityPolicy = additions
      },
    ]
  }

  private static var access: [Flag] {
    [
      Flag(
        "allow-host",
        "HOST",
        "Host that is answered; repeatable",
        \.allowHosts,
        defaultValue: "loopback names, or any",
        example: "a host such as example.org or example.org:8080",
        { AllowedHosts.normalized($0) }
      ),
      Flag(
        "allow-origin",
        "ORIGIN",
        "other origin whose pages may use it; repeatable",
        \.allowOrigins,
        defaultValue: "none",
        example: "an origin such as https://example.org",
        { AllowedOrigins.normalized($0) }
      ),
      Flag(
        "trusted-proxy",
        "CIDR",
        "proxy whose forwarded headers are trusted; repeatable",
        \.trustedProxies,
        defaultValue: "none",
        example: "unix, an address or a network such as 10.0.0.0/8"
      ) { text in
        var proxies = TrustedProxies()
        return proxies.add(text) ? text : nil
      },
      Flag(
        "base-path",
        "PATH",
        "path under which a proxy serves it",
        \.basePath,
        defaultValue: Configuration().basePath,
        expected: "a path such as /app"
      ) { BasePath($0) == nil ? nil : $0 },
    ]
  }

  private static var identities: [Flag] {
    [
      Flag(
        "auth-tokens",
        "FILE",
        "file of tokens' digests, read again when it changes",
        \.authTokens
      ),
      Flag(
        "auth-jwt",
        "FILE",
        "file of public keys that verify JSON Web Tokens",
        \.authJWT
      ),
      Flag(
        "auth-jwt-issuer",
        "NAME",
        "issuer whose JSON Web Tokens are believed",
        \.authJWTIssuer,
        defaultValue: "any"
      ),
      Flag(
        "auth-jwt-audience",
        "NAME",
        "audience that JSON Web Tokens have to name",
        \.authJWTAudience
      ),
      Flag(
        "auth-cookies",
        "FILE",
        "file of keys that sign the cookies of logins",
        \.authCookies
      ),
      Flag(
        "auth-header",
        "NAME",
        "header in which trusted proxies name the sender",
        \.authHeader,
        expected: "the name of a header, such as X-Forwarded-User"
      ) { ByteSet.token.containsAll(of: $0) },
      Flag(
        "anonymous",
        "on|off|auto",
        "whether the anonymous may have sessions",
        \.anonymous,
        defaultValue: "auto",
        expected: "one of on, off, auto"
      ) { text in
        text == "auto" ? .some(nil) : ["on": true, "off": false][text].map(Optional.some)
      },
    ]
  }

  private static var limits: [Flag] {
    [
      Flag("max-body", "BYTES", "size of a request's body", \.maxBody, 1...1 << 30),
      Flag("max-batch", "N", "Inputs in a batch", \.maxBatch, 1...1_000_000),
      Flag(
        "max-queued-inputs",
        "N",
        "Inputs that wait in one session",
        \.maxQueuedInputs,
        1...1_000_000
      ),
      Flag("max-state", "BYTES", "size of a State as JSON", \.maxState, 1...1 << 30),
      Flag("max-sessions", "N", "sessions", \.maxSessions, 1...100_000_000),
      Flag("max-streams", "N", "open streams", \.maxStreams, 0...10_000_000),
      Flag("max-connections", "N", "open connections", \.maxConnections, 1...10_000_000),
      Flag(
        "max-memory",
        "BYTES",
        "memory in use beyond which more is refused; 0: no limit",
        \.maxMemory,
        0...1 << 50
      ),
    ]
  }

  private static var clientLimits: [Flag] {
    [
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
        "open streams of one client",
        \.maxStreamsPerClient,
        1...10_000_000,
        defaultValue: "\(ClientLimits.usualStreams)"
      ),
      Flag(
        "inputs-per-second",
        "N",
        "Inputs of one client in a second",
        \.inputsPerSecond,
        1...1_000_000
      ),
    ]
  }

  private static var nodes: [Flag] {
    [
      Flag(
        "node-address",
        "HOST:PORT",
        "address at which other nodes reach this one",
        \.nodeAddress,
        expected: "an address and a port, such as 10.0.0.3:7946 or [::1]:7946"
      ) { Configuration.hostAndPort($0) != nil },
      Flag(
        "node-secret-file",
        "FILE",
        "file of the secret with which nodes sign requests",
        \.nodeSecretFile
      ),
    ]
  }

  private static var stopping: [Flag] {
    [
      Flag("drain", "time that a stop waits for answers", \.drain),
      Flag("drain-delay", "time that a stop is announced before", \.drainDelay),
    ]
  }

  private static var logs: [Flag] {
    [
      Flag("log", "format of a log line", \.logFormat),
      Flag("log-level", "lowest level that is logged", \.logLevel),
      Flag("access-log", onOff: "log each request at info", \.accessLog),
      Flag("slow-turn", "duration from which a turn is logged; 0: never", \.slowTurn),
      Flag("server-timing", onOff: "tell browsers how long answers took", \.serverTiming),
    ]
  }
}
