package import FusionHTTPMessages
import Synchronization

/// Holds requests for sessions back until what must exist at the start is there.
package final class StartGate: Sendable {
  /// Goes on with a request; a problem refuses it.
  package typealias Held = @Sendable (_ problem: Problem?) -> Void

  /// The number of requests that may wait.
  private static let limit = 1_000

  private let isOpenNow = Atomic(false)
  private let held = Mutex<[Held]>([])

  package init() {}

  package var isOpen: Bool { isOpenNow.load(ordering: .acquiring) }

  /// Goes on with a request once the gate is open, or at once if it is.
  package func pass(_ request: @escaping Held) {
    let decided: (isOpen: Bool, isFull: Bool) = held.withLock { held in
      if isOpen { return (true, false) }
      guard held.count < Self.limit else { return (false, true) }
      held.append(request)
      return (false, false)
    }
    if decided.isOpen { request(nil) } else if decided.isFull { request(.starting) }
  }

  /// Goes on with the requests that wait, and holds none from now on.
  package func open() {
    let requests = held.withLock { held in
      isOpenNow.store(true, ordering: .releasing)
      return held.takeAll()
    }
    for request in requests { request(nil) }
  }

  /// Refuses the requests that wait; later ones wait again.
  package func refuse(_ problem: Problem = .starting) {
    for request in held.withLock({ $0.takeAll() }) { request(problem) }
  }
}

extension [StartGate.Held] {
  fileprivate mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
