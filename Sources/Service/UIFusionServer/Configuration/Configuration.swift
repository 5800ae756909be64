import FusionMicrohttpdServer
import FusionSessionAPI
package import FusionSessions

/// How a service runs; the defaults are those of README's table of flags.
///
/// Each public member is a flag of `uifusion serve`; README explains them. Most have the flag's name: the
/// others are ``publicFolder`` (`--public`), ``allowOrigins``, ``allowHosts``, ``tlsCertificate`` (`--tls-cert`)
/// and ``logFormat`` (`--log`).
public struct Configuration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// 0 picks a free one.
  public var port = 8080
  /// The path of a Unix socket to listen on instead of the address and its port; up to 107 bytes.
  public var socket: String?
  /// A port of its own for health, readiness and metrics, on the same address; 0 picks a free one.
  public var adminPort: Int?
  /// The address and port where other nodes ask this one, `10.0.0.3:7946`, where several share the store.
  public var nodeAddress: String?
  /// The file of the secret by which nodes know each other, the same on all of them.
  public var nodeSecretFile: String?
  /// How many threads serve connections; 0 is one for each processor that the process may use.
  public var threads = 0
  /// The front end's folder.
  public var publicFolder = "Public"

  /// Where sessions are kept.
  public var data = SessionStorage.folder("./.uifusion")
  /// What an acknowledged Input survives.
  public var durability = Durability.full

  /// How long a session stays without a stream or a request.
  public var sessionTTL = SessionHost.Limits().idleTime
  /// How long an idle session stays in memory, where sessions are stored.
  public var sleepAfter = SessionHost.Limits().sleepAfter
  /// Whether sessions that were interrupted at work are woken at the start.
  public var wakeInterrupted = true
  /// How long a stream may be silent.
  public var heartbeat = Duration.seconds(15)
  /// How long a stop waits for answers.
  public var drain = Duration.seconds(8)
  /// How long a stop announces itself before it begins.
  public var drainDelay = Duration.zero

  /// The size of a request's body, in bytes.
  public var maxBody = MicrohttpdServer.Configuration().maxBodyBytes
  /// How long a start waits for another process that serves the folder.
  public var lockWait = Duration.seconds(10)
  /// How many bytes the history of all sessions may have on the disk.
  public var maxHistory = 268_435_456
  /// How many Inputs may wait in a session.
  public var maxQueuedInputs = SessionHost.Limits().queuedInputs
  /// How many Inputs a batch may have.
  public var maxBatch = SessionHost.Limits().batch
  /// How many bytes a State may have as JSON.
  public var maxState = SessionHost.Limits().state
  /// Beyond how many bytes of memory in use what takes more is refused; 0 for no limit.
  public var maxMemory = 0
  /// How many sessions there may be.
  public var maxSessions = SessionHost.Limits().sessions
  /// How many streams may be open.
  public var maxStreams = SessionAPI.Options().streams
  /// How many sessions of one client's making there may be; nil for 1,000, and any number for clients in
  /// private networks.
  public var maxSessionsPerClient: Int?
  /// How many streams one client may have open; nil for 100, and any number for clients in private
  /// networks.
  public var maxStreamsPerClient: Int?
  /// How many Inputs one client may send in a second; nil for no limit.
  public var inputsPerSecond: Int?
  /// How many connections may be open.
  public var maxConnections = MicrohttpdServer.Configuration().connectionLimit

  /// The origins, beside its own, whose pages may use the service: `https://example.org`.
  public var allowOrigins: [String] = []
  /// The values of Host that are answered, with a port or for all of them.
  ///
  /// Where there are none: loopback names while `host` is a loopback address, else any.
  public var allowHosts: [String] = []
  /// The addresses, or networks of them, of proxies that are believed in what they say of clients:
  /// `10.0.0.0/8`.
  public var trustedProxies: [String] = []
  /// In which headers they say what they know.
  public var forwardedHeader = ForwardedHeader.any
  /// The path below which clients find the service, where a proxy in front has it below one: `/app`.
  public var basePath = "/"

  /// What pages may load beside what is the service's own, or who else may show them, as directives of the
  /// Content Security Policy with their sources: `img-src https://cdn.example.org`.
  public var contentSecurityPolicy: [String] = []

  /// The file of a certificate in PEM; with it and its key, TLS is spoken.
  public var tlsCertificate: String?
  /// The file of the certificate's key in PEM.
  public var tlsKey: String?
  /// For how many seconds browsers are to ask over TLS alone, where that is spoken (HSTS, RFC 6797); 0 does not
  /// tell them.
  public var hsts = 31_536_000

  /// How a line of the log is written.
  public var logFormat = LogFormat.text
  /// What is logged at the least.
  public var logLevel = LogLevel.info
  /// Whether each request has a line at the level info, and not only at debug.
  public var accessLog = false
  /// Whether answers say how long they took.
  public var serverTiming = false

  /// How long a start waits for a database that cannot be reached.
  package var serverWait = Duration.seconds(30)

  /// A socket that listens already, where `host` and `port`, or `socket`, say.
  package var inheritedSocket: Int32?

  /// Makes the store that this node shares with others, which find it by the address; nil for what ``data``
  /// says.
  package var makeSharedStore: (@Sendable (_ address: String) -> any SharedSessionStore)?

  /// The name of the VFS that the store in a folder reads and writes by; nil for SQLite's default.
  package var storeVFS: String?

  /// The defaults.
  public init() {}
}

/// Where sessions are kept.
public enum SessionStorage: Sendable, Equatable {
  /// In memory: they end with the process.
  case memory
  /// In a folder of the machine's own disk, which one process serves at a time.
  case folder(String)
  /// In a PostgreSQL database, which several processes may serve: a connection string that begins with
  /// `postgres://` or `postgresql://`.
  case postgresql(String)
}

/// In which headers proxies say what they know of a client.
public enum ForwardedHeader: String, Sendable, CaseIterable {
  /// `X-Forwarded-For` and its like, or, where a request has none of them, `Forwarded`.
  case any
  /// `X-Forwarded-For` and its like alone.
  case xForwarded = "x-forwarded"
  /// `Forwarded` (RFC 7239) alone.
  case forwarded
}

/// What an acknowledged Input survives.
public enum Durability: String, Sendable, CaseIterable {
  /// The machine losing its power: acknowledged means on disk.
  case full
  /// The process; with the machine, the last moments may be lost.
  case relaxed
}

/// How a line of the log is written.
public enum LogFormat: String, Sendable, CaseIterable {
  case text, json
}

/// How much an event of the log matters, least first.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error

  /// Whether the first matters less.
  public static func < (a: LogLevel, b: LogLevel) -> Bool {
    a.rank < b.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
