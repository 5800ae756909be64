import FusionRawHTTP

/// A service on a faulty disk, which can be killed and restarted on the remaining files.
package protocol FaultyService: AnyObject, Sendable {
  /// Starts the service; returns when it listens.
  func start() async throws

  /// The port since the last start.
  var port: Int { get }

  /// Whether the service has not been killed; later answers count as never sent.
  var isAlive: Bool { get }

  /// Replaces the fault of the disk; nil ends it.
  func inject(_ fault: Fault?)

  /// Kills the service without warning; returns when its process or threads have ended.
  func kill() async throws

  /// Recovers a killed service's session to a version; returns whether it succeeded, nil if that is unknown.
  ///
  /// The recovery tool is killed after `patience` microseconds, if given.
  func recover(
    _ session: History.SessionPath,
    to version: Int,
    patience: UInt32?
  ) throws -> Bool?

  /// The number of disk calls that failed or waited.
  var faults: Int { get }

  /// Returns the effects that have begun since the first start.
  func effects() throws -> [Effect]
}

/// An error thrown if a session could not be created.
package struct NoSession: Error {}

extension FaultyService {
  /// Creates a session; returns its path.
  func newSession(of pattern: Pattern) throws -> History.SessionPath {
    let client = try RawClient(port, silence: 30)
    client.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"\#(pattern.rawValue)"}"#
    )
    guard let path = try client.response()?["Location"] else { throw NoSession() }
    return path
  }
}
