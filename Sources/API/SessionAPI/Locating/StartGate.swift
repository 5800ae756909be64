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

  private struct Contents {
    var held: [Held] = []
    /// The bytes of their bodies.
    var bytes = 0
    /// The problem that refuses every request; nil while requests may wait.
    var closedBy: Problem?

    mutating func takeAll() -> [Held] {
      defer { (held, bytes) = ([], 0) }
      return held
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

  /// Goes on with the requests that wait, and holds none from now on.
  package func open() {
    let requests = contents.withLock { contents in
      isOpenNow.store(true, ordering: .releasing)
      return contents.takeAll()
    }
    for request in requests { request(nil) }
  }

  /// Refuses the requests that wait; later ones wait again.
  package func refuse() {
    for request in contents.withLock({ $0.takeAll() }) { request(.starting) }
  }

  /// Refuses the requests that wait, and all later ones, as the service stops; an open gate stays open.
  package func close() {
    let requests = contents.withLock { contents in
      contents.closedBy = .draining
      return contents.takeAll()
    }
    for request in requests { request(.draining) }
  }
}
