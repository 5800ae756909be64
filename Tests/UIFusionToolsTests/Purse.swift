import FusionSessions
import FusionStoreDoubles
import Synchronization
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import UIFusionTools

/// A view model whose rule differs between deploys: each earning after the second adds a bonus.
struct Purse: ReducerViewModel {
  enum Input: Codable, Sendable { case earn(Int), hide(Secret<String>), work }
  enum Action: Codable, Sendable { case earn(Int), hide(Secret<String>), work }
  struct State: Codable, Equatable, Sendable {
    var coins = 0
    @Secret var note = ""
    // Neither sent nor stored.
    var earnings = 0

    private enum CodingKeys: CodingKey { case coins, note }
  }

  var state = State()
  let bonus: Int
  var time: any TimeSource
  var worked: @Sendable () -> Void = {}

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .earn(let coins): [.earn(coins)]
    case .hide(let note): [.hide(note)]
    case .work: [.work]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .earn(let coins):
      state.earnings += 1
      state.coins += coins + state.note.count + (state.earnings > 2 ? bonus : 0)
    case .hide(let note): state.note = note.wrappedValue
    case .work:
      return [
        .runAction { [time, worked] in
          worked()
          try await time.sleep(for: .seconds(1))
          return .earn(1)
        }
      ]
    }
    return []
  }
}

extension ViewModelCatalog {
  /// Returns a catalog with one version of the purse.
  static func purse(bonus: Int, worked: @escaping @Sendable () -> Void = {}) -> ViewModelCatalog {
    var catalog = ViewModelCatalog()
    catalog.host("purse", summary: "") { Purse(bonus: bonus, time: $0.time, worked: worked) }
    return catalog
  }
}

/// A stored session, written by one version of a view model and read by another.
final class Past {
  let clock = TestClock()
  let store = MemorySessionStore()
  let id = SessionID(high: 1, low: 2)
  private var host: SessionHost
  private let catalog: ViewModelCatalog

  init(_ catalog: ViewModelCatalog) throws {
    self.catalog = catalog
    host = SessionHost(
      catalog.viewModels,
      dependencies: clock.dependencies,
      store: store,
      makeID: { SessionID(high: 1, low: 2) }
    )
    host.creator.create(catalog.viewModels[0]) { _ in }
  }

  /// Sends Inputs of an identity, of a session, or of an anonymous client.
  func send(
    _ inputs: String...,
    from sender: Identity? = nil,
    of session: SessionID? = nil
  ) async throws {
    let origin = InputOrigin(
      request: nil,
      trace: nil,
      sender: sender,
      session: session?.description
    )
    for input in inputs {
      guard case .resident(let session) = host.directory.find(id) else { throw Missing() }
      try session.submit(Array(input.utf8), from: origin)
      await clock.idle()
    }
  }

  /// Refuses each message of the session from now on.
  func refuseMessages(because reason: String) {
    host.connections.connect { _ in .refused(reason) }
  }

  /// Continues the session in another process after the first was killed.
  func restart(_ next: ViewModelCatalog? = nil) async throws {
    host = SessionHost(
      (next ?? catalog).viewModels,
      dependencies: clock.dependencies,
      store: store,
      inventory: try store.inventory()
    )
    host.waker.wake([id]) { _ in }
    await clock.idle()
  }

  var stored: StoredSession {
    get throws {
      let found = Mutex<StoredSession?>(nil)
      store.load(id) { result in found.withLock { $0 = try? result.get() } }
      guard let stored = found.withLock({ $0 }) else { throw Missing() }
      return stored
    }
  }

  /// Replays the session with a version of the view model.
  func check(with catalog: ViewModelCatalog) async throws -> StateCheck {
    let history = try SessionHistory(stored, log: [])
    return try await StateCheck(history, clock.dependencies) {
      try catalog.viewModels[0].replay([], $0)
    }
  }

  private struct Missing: Error {}
}
