import Synchronization
import UIFusionKit

/// For how long this node may answer for its sessions.
///
/// Nothing is lost without it: the store's fence sees to that. What rests on it is that nobody reads a
/// State here that another node has left behind. So it ends earlier here than the store has it, and is
/// counted from when its renewal was asked for, not from when that was granted.
final class Lease: Sendable {
  /// How often it is renewed; what failed is tried again sooner.
  static let pause = Duration.seconds(1)
  /// How long a renewal holds here, of the four seconds that it holds in the store.
  static let patience = Duration.milliseconds(3_200)

  /// What is told, in the order in which it happens.
  enum Event: Sendable {
    /// It was given this number: all that it had before is nobody's.
    case joined(Node)
    /// It could not be renewed in time: nothing is answered for until it can be.
    case silenced
    /// It was renewed after all, and nothing is lost.
    case restored
    /// It has run out: what this node had may be another's.
    case lost
  }

  private struct Contents {
    var node: Node?
    /// When the last renewal that was granted had been asked for; before the first, when this was made.
    var asked: Duration
    var isSilenceTold = false
  }

  private let store: any SharedSessionStore
  private let dependencies: Dependencies
  private let contents: Mutex<Contents>

  init(_ store: any SharedSessionStore, _ dependencies: Dependencies) {
    self.store = store
    self.dependencies = dependencies
    contents = Mutex(Contents(asked: dependencies.time.now))
  }

  /// As what this process is known at present.
  var node: Node? { contents.withLock { $0.node } }

  /// Whether this node may answer for its sessions at this moment.
  var isHeld: Bool { left > .zero }

  /// For how long it holds; zero where it does not.
  var left: Duration {
    let now = dependencies.time.now
    return contents.withLock { contents in
      contents.node == nil ? .zero : max(.zero, contents.asked + Self.patience - now)
    }
  }

  /// How long ago the last renewal that was granted had been asked for.
  var age: Duration {
    let now = dependencies.time.now
    return contents.withLock { now - $0.asked }
  }

  /// Joins, and renews for as long as the task runs; `tell` is called on it, one event after another.
  func keep(_ tell: @escaping @Sendable (Event) -> Void) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { [self] in
        while true {
          let isGranted = await renew(tell)
          try await dependencies.time.sleep(for: isGranted ? Self.pause : Self.pause / 4)
        }
      }
      // Beside it, as a renewal may not come back.
      group.addTask { [self] in
        while true {
          let left = left
          if left == .zero { silence(tell) }
          try await dependencies.time.sleep(for: left == .zero ? Self.pause / 4 : left)
        }
      }
      try await group.waitForAll()
    }
  }

  private func renew(_ tell: @Sendable (Event) -> Void) async -> Bool {
    let asked = dependencies.time.now
    guard node != nil else { return await join(tell) }
    let result = await withCheckedContinuation { continuation in
      store.renew { continuation.resume(returning: $0) }
    }
    switch result {
    case .success(true):
      if extend(from: asked) { tell(.restored) }
      return true
    case .success(false):
      contents.withLock { $0.node = nil }
      tell(.lost)
      return await join(tell)
    case .failure: return false
    }
  }

  private func join(_ tell: @Sendable (Event) -> Void) async -> Bool {
    let asked = dependencies.time.now
    let result = await withCheckedContinuation { continuation in
      store.join { continuation.resume(returning: $0) }
    }
    guard case .success(let node) = result else { return false }
    contents.withLock { $0.node = node }
    _ = extend(from: asked)
    tell(.joined(node))
    return true
  }

  /// Whether its end had been told of.
  private func extend(from asked: Duration) -> Bool {
    contents.withLock { contents in
      contents.asked = max(contents.asked, asked)
      defer { contents.isSilenceTold = false }
      return contents.isSilenceTold
    }
  }

  private func silence(_ tell: @Sendable (Event) -> Void) {
    let isNews = contents.withLock { contents in
      defer { contents.isSilenceTold = true }
      return contents.node != nil && !contents.isSilenceTold
    }
    if isNews { tell(.silenced) }
  }
}
