/// A service on a disk that fails, which can be killed and started again on what is left.
package protocol FaultyService: AnyObject, Sendable {
  /// Starts it; returns when it listens.
  func start() async throws

  /// Where it listens, since the last start.
  var port: Int { get }

  /// False as soon as it is being killed: what comes from it later was never sent.
  var isAlive: Bool { get }

  /// Something goes wrong with the disk, until it is something else, or nothing.
  func inject(_ fault: Fault?)

  /// Ends it without a warning; returns when nothing of it runs.
  func kill() async throws

  /// How many calls on the disk have failed or waited.
  var faults: Int { get }

  /// What its effects have begun, in all of its lives.
  func effects() throws -> [Effect]
}
