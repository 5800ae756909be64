import FusionMicrohttpdServer
import FusionSessionAPI
package import FusionSessions

/// The settings of a service; their defaults are those of `uifusion serve`.
///
/// <doc:Flags> lists the flag of nearly each public member. Most have the flag's name; the others are
/// ``publicFolder`` (`--public`), ``allowOrigins``, ``allowHosts``, ``tlsCertificate`` (`--tls-cert`),
/// ``contentSecurityPolicy`` (`--csp`) and ``logFormat`` (`--log`). ``threads`` and ``forwardedHeader`` have none.
public struct Configuration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 picks a free one.
  public var port = 8080
  /// The path of a Unix socket to listen on instead of the address and its port; up to 107 bytes.
  public var socket: String?
  /// A second port on the same address, for health, readiness and metrics alone; 0 picks a free one.
  public var adminPort: Int?
  /// The address and port at which the other nodes of a shared store reach this one: `10.0.0.3:7946`.
  public var nodeAddress: String?
  /// The file of the secret with which nodes sign their requests, the same on all nodes.
  public var nodeSecretFile: String?
  /// The number of threads that serve connections; 0 is one for each processor that the process may use.
  public var threads = 0
  /// The front end's folder.
  public var publicFolder = "Public"

  /// The place where sessions are stored.
  public var data = SessionStorage.folder("./.uifusion")
  /// The kind of failure that an acknowledged Input survives.
  public var durability = Durability.full

  /// The time that a session lives without a stream or a request.
  public var sessionTTL = SessionLimits().idleTime
  /// The time that an idle session stays in memory, if sessions are stored.
  public var sleepAfter = SessionLimits().sleepAfter
  /// Whether stored States lose the members that State no longer has, whatever the view model's `droppedMembers` say.
  public var dropMembers = false
  /// Whether the start wakes sessions that were interrupted at work.
  public var wakeInterrupted = true
  /// The time within which a session is set aside that ends the process twice; zero for never.
  public var setAsideWithin = SessionLimits().setAsideWithin
  /// The longest silence of a stream.
  public var heartbeat = Duration.seconds(15)
  /// The duration from which a turn is logged; zero to log none.
  public var slowTurn = Duration.seconds(1)
  /// The time that a stop waits for answers.
  public var drain = Duration.seconds(8)
  /// The time for which `/readyz` announces a stop before it begins.
  public var drainDelay = Duration.zero

  /// The largest body of a request, in bytes.
  public var maxBody = MicrohttpdServer.Configuration().maxBodyBytes
  /// The time that a start waits for another process to release the folder.
  public var lockWait = Duration.seconds(10)
  /// The largest history of all sessions on disk, in bytes.
  public var maxHistory = 268_435_456
  /// The days for which each version of a session is kept; nil is 1 in a folder if ``inspect`` shows them, else 0.
  ///
  /// ``maxHistory`` still applies, in a database to each session; 0 keeps only a limited number of entries.
  public var historyDays: Int?
  /// Whether stored versions can be looked at and forked over HTTP; nil allows it if only this machine reaches the
  /// service, and not through a proxy.
  public var inspect: Bool?
  /// The most Inputs that wait in one session.
  public var maxQueuedInputs = SessionLimits().queuedInputs
  /// The most Inputs of a batch.
  public var maxBatch = SessionLimits().batch
  /// The largest State, in bytes of JSON.
  public var maxState = SessionLimits().state
  /// The memory in use beyond which the service refuses work that needs more, in bytes; 0 for no limit.
  public var maxMemory = 0
  /// The most sessions.
  public var maxSessions = SessionLimits().sessions
  /// The most open streams.
  public var maxStreams = SessionAPI.Options().streams
  /// The most sessions that one client has created; nil for 1,000, and no limit for clients in private networks.
  public var maxSessionsPerClient: Int?
  /// The most open streams of one client; nil for 100, and no limit for clients in private networks.
  public var maxStreamsPerClient: Int?
  /// The most Inputs of one client in a second; nil for no limit.
  public var inputsPerSecond: Int?
  /// The most open connections.
  public var maxConnections = MicrohttpdServer.Configuration().connectionLimit

  /// The origins, beside the service's own, whose pages may use it: `https://example.org`.
  public var allowOrigins: [String] = []
  /// The values of `Host` that are answered, with a port or for all ports.
  ///
  /// By default these are the loopback names while `host` is a loopback address, and any value otherwise.
  public var allowHosts: [String] = []
  /// The proxies that are trusted to forward a client's address, scheme and host: addresses, or networks such
  /// as `10.0.0.0/8`.
  public var trustedProxies: [String] = []
  /// The headers in which trusted proxies forward the client's address, scheme and host.
  public var forwardedHeader = ForwardedHeader.any
  /// The path under which clients find the service, where a proxy serves it under one: `/app`.
  public var basePath = "/"

  /// The file of tokens, by their digests: one JSON object a line, as `uifusion token` writes it.
  public var authTokens: String?
  /// The file of public keys in PEM that verify JSON Web Tokens, tried in turn.
  public var authJWT: String?
  /// The issuer whose JSON Web Tokens are believed; nil for any.
  public var authJWTIssuer: String?
  /// The audience that JSON Web Tokens have to name; nil if they must not name any.
  public var authJWTAudience: String?
  /// The file of keys that sign the cookies of logins, one a line, the newest first.
  public var authCookies: String?
  /// The header in which trusted proxies name who sends a request: `X-Forwarded-User`.
  public var authHeader: String?
  /// Whether senders without a known identity may have sessions; nil, `auto`: if no way to identify is set up.
  public var anonymous: Bool?

  /// Directives that are added to the Content Security Policy, with their sources: `img-src https://cdn.example.org`.
  public var contentSecurityPolicy: [String] = []

  /// The file of a certificate in PEM; the service speaks TLS if both this and ``tlsKey`` are set.
  public var tlsCertificate: String?
  /// The file of the certificate's key in PEM.
  public var tlsKey: String?
  /// The seconds for which browsers use TLS alone, where the service speaks it (HSTS, RFC 6797); 0 sends no
  /// such header.
  public var hsts = 31_536_000

  /// The format of a log line.
  public var logFormat = LogFormat.text
  /// The lowest level that is logged.
  public var logLevel = LogLevel.info
  /// Whether each request is logged at the level info, and not only at debug.
  public var accessLog = false
  /// Whether answers carry `Server-Timing`.
  public var serverTiming = false

  /// The time that a start waits for a database that cannot be reached.
  package var serverWait = Duration.seconds(30)

  /// A socket that listens already at `host` and `port`, or at `socket`.
  package var inheritedSocket: Int32?

  /// Makes the shared store of a node with an address; nil opens the store that ``data`` names.
  package var makeSharedStore: (@Sendable (_ address: String) -> any SharedSessionStore)?

  /// The name of the VFS of a store in a folder; nil for SQLite's default.
  package var storeVFS: String?

  /// Makes the defaults.
  public init() {}
}

/// A place where sessions are stored.
public enum SessionStorage: Sendable, Equatable {
  /// The process's memory: sessions end with it.
  case memory
  /// A folder on a disk of this machine, which one process serves at a time.
  case folder(String)
  /// A PostgreSQL database, which several processes may serve: a connection string that begins with
  /// `postgres://` or `postgresql://`.
  case postgresql(String)
}

/// The headers in which proxies forward a client's address, scheme and host.
public enum ForwardedHeader: String, Sendable, CaseIterable {
  /// `X-Forwarded-For` and its like or, in a request that has none of them, `Forwarded`.
  case any
  /// `X-Forwarded-For` and its like alone.
  case xForwarded = "x-forwarded"
  /// `Forwarded` (RFC 7239) alone.
  case forwarded
}

/// The kind of failure that an acknowledged Input survives.
public enum Durability: String, Sendable, CaseIterable {
  /// A power failure: acknowledged means on disk.
  case full
  /// The end of the process; a power failure may lose the last moments.
  case relaxed
}

/// The format of a log line.
public enum LogFormat: String, Sendable, CaseIterable {
  case text, json
}

/// The importance of a log line, lowest first.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error

  /// Whether the first level is less important.
  public static func < (a: LogLevel, b: LogLevel) -> Bool {
    a.rank < b.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A reason why the service cannot start.
public struct ServiceError: Error, CustomStringConvertible {
  /// The setting, port or file that is in the way, and what to do about it.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// The version of this service.
public let uifusionVersion = "0.1.0"
