package import FusionHTTPMessages
import Synchronization

/// Holds requests for sessions back until what must exist at the start is there.
package final class StartGate: Sendable {
  /// Goes on with a request; a problem refuses it.
  package typealias Held = @Sendable (_ problem: Problem?) -> Void

  /// The number of requests that may wait.
  private static let limit = 1_000
  /// The number of bytes that the bodies of requests that wait may have in all.
  private static let byteLimit = 16 << 20

  /// Whether the running code belongs to a job at the start, and so does not wait for it.
  @TaskLocal package static var isPassed = false

  private struct Contents {
    var held: [Held] = []
    /// The program's calls that wait.
    var calls: [Held] = []
    /// The bytes of their bodies.
    var bytes = 0
    /// The problem that refuses every request; nil while requests may wait.
    var closedBy: Problem?

    mutating func takeAll() -> [Held] {
      defer { (held, bytes) = ([], 0) }
      return held
    }

    mutating func takeAllCalls() -> [Held] {
      defer { calls = [] }
      return calls
    }
  }

  private let isOpenNow = Atomic(false)
  private let contents = Mutex(Contents())

  package init() {}

  package var isOpen: Bool { isOpenNow.load(ordering: .acquiring) }

  /// Goes on with a request once the gate is open, or at once if it is; `bytes` is the size of its body.
  package func pass(_ bytes: Int, _ request: @escaping Held) {
    let decided: (isHeld: Bool, problem: Problem?) = contents.withLock { contents in
      if isOpen { return (false, nil) }
      if let problem = contents.closedBy { return (false, problem) }
      guard contents.held.count < Self.limit, contents.bytes + bytes <= Self.byteLimit else {
        return (false, .starting)
      }
      contents.held.append(request)
      contents.bytes += bytes
      return (true, nil)
    }
    if !decided.isHeld { request(decided.problem) }
  }

  /// Goes on with a call of the program once the gate is open, or at once if it is; refused only once the gate is closed.
  package func passCall(_ call: @escaping Held) {
    let decided: (isHeld: Bool, problem: Problem?) = contents.withLock { contents in
      if isOpen { return (false, nil) }
      if let problem = contents.closedBy { return (false, problem) }
      contents.calls.append(call)
      return (true, nil)
    }
    if !decided.isHeld { call(decided.problem) }
  }

  /// Goes on with the requests and calls that wait, and holds none from now on.
  package func open() {
    let requests = contents.withLock { contents in
      isOpenNow.store(true, ordering: .releasing)
      return contents.takeAll() + contents.takeAllCalls()
    }
    for request in requests { request(nil) }
  }

  /// Refuses the requests that wait, but no calls of the program; later ones wait again.
  package func refuse() {
    for request in contents.withLock({ $0.takeAll() }) { request(.starting) }
  }

  /// Refuses the requests and calls that wait, and all later ones, as the service stops; an open gate stays open.
  package func close() {
    let requests = contents.withLock { contents in
      contents.closedBy = .draining
      return contents.takeAll() + contents.takeAllCalls()
    }
    for request in requests { request(.draining) }
  }
}
