import FusionRawHTTP

/// A service on a failing disk, which can be killed and started again on the files that are left.
package protocol FaultyService: AnyObject, Sendable {
  /// Starts the service; returns when it listens.
  func start() async throws

  /// The port since the last start.
  var port: Int { get }

  /// Whether the service has not been killed; later answers count as never sent.
  var isAlive: Bool { get }

  /// Replaces the fault of the disk; nil ends it.
  func inject(_ fault: Fault?)

  /// Kills the service without a warning; returns when nothing of it runs.
  func kill() async throws

  /// Takes a session of a service that was killed back to a version; returns whether it was, nil where nobody knows.
  ///
  /// The tool that does it is killed after some microseconds of patience, if there are any.
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

/// A missing session, where one is expected.
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
