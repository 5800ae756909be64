import FusionCluster
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// A node's process, on a clock that all nodes share.
final class NodeUnderTest: Sendable {
  let store: SeverableStore
  let host: SessionHost
  let events = Tally()
  private let clock: TestClock
  private let upkeep: Task<Void, Never>

  init(_ name: String, _ memory: SharedMemory, _ clock: TestClock, format: Int = 1) {
    let events = events
    store = SeverableStore(memory, name: name, address: "http://\(name)")
    self.clock = clock
    let host = SessionHost(
      [.counting(format: format), .sleeper(format: format) {}],
      dependencies: clock.dependencies,
      store: store,
      ownership: Lease(store, clock.dependencies),
      report: { events.add($0.name) }
    )
    self.host = host
    upkeep = Task(executorPreference: clock.executor) {
      await withTaskGroup { group in
        group.addTask { try? await host.recoverer.keepLease() }
        group.addTask { try? await host.takeOver.run() }
      }
    }
  }

  deinit { upkeep.cancel() }

  func stop() {
    upkeep.cancel()
    host.closeAll()
  }

  func create(_ name: String = "counting") throws -> Session {
    let viewModel = try #require(host.viewModels.named(name))
    return try #require(try host.creator.create(viewModel))
  }

  func submit(_ number: String, to id: SessionID) throws {
    guard case .resident(let session) = host.directory.find(id) else { throw Refused() }
    try session.submit(Array(number.utf8))
  }

  func text(of id: SessionID) -> String? {
    host.directory.find(id).session?.current?.text
  }

  func putIdleToSleep() async {
    _ = await Task(executorPreference: clock.executor) { [host] in
      await host.sleeper.putIdleToSleep()
    }
    .value
    await clock.idle()
  }

  /// Finds a session in the same way as a request.
  func find(_ id: SessionID) async -> String {
    if host.directory.isAsleep(id) {
      let failure = Mutex<WakeFailure?>(nil)
      host.waker.wake([id]) { reason in failure.withLock { $0 = reason } }
      await clock.idle()
      if let failure = failure.withLock({ $0 }) { return failure.name }
    }
    return host.directory.find(id).ending
  }

  func delete(_ id: SessionID) async -> String {
    let answer = Mutex<String?>(nil)
    host.ender.delete(id) { result in
      answer.withLock {
        switch result {
        case .success(let lookup): $0 = lookup.ending
        case .failure(let failure): $0 = failure.name
        }
      }
    }
    await clock.idle()
    return answer.withLock { $0 } ?? "no answer"
  }
}

extension SessionLookup {
  fileprivate var session: Session? {
    if case .resident(let session) = self { session } else { nil }
  }

  fileprivate var ending: String {
    if case .ended(let end) = self { end.rawValue } else { name }
  }
}

extension WakeFailure {
  fileprivate var name: String {
    switch self {
    case .store(.unreachable): "unreachable"
    case .store(let error): "\(error)"
    case .unreadable: "unreadable"
    case .unreadableHere: "unreadable here"
    case .setAside: "set aside"
    case .memoryFull: "memory full"
    case .elsewhere(let node, _): "at \(node.name)"
    case .notPermitted: "not permitted"
    }
  }
}
