package import FusionSessions
import Synchronization
package import UIFusionKit

/// The time for which this node may answer for its sessions.
///
/// The store's fence alone prevents losses. The lease keeps clients from reading a State here that another node has
/// replaced. So it ends earlier here than in the store, and counts from when its renewal was requested, not granted.
package final class Lease: SessionOwnership {
  /// The interval between renewals; a failed renewal is tried again sooner.
  private static let pause = Duration.seconds(1)
  /// The time that a renewal is valid here, of the four seconds that it is valid in the store.
  private static let timeout = Duration.milliseconds(3_200)
  /// The number of sessions that the store ends as expired at a time.
  private static let expiredAtOnce = 1_000

  private struct Contents {
    var node: Node?
    /// The time at which the last granted renewal was requested; before the first, the lease's creation.
    var asked: Duration
    var isSilenceTold = false
  }

  private let store: any SharedSessionStore
  private let dependencies: Dependencies
  private let contents: Mutex<Contents>

  package init(_ store: any SharedSessionStore, _ dependencies: Dependencies) {
    self.store = store
    self.dependencies = dependencies
    contents = Mutex(Contents(asked: dependencies.time.now))
  }

  package var isShared: Bool { true }

  package var node: Node? { contents.withLock { $0.node } }

  package var isHeld: Bool { left > .zero }

  /// The rest of the lease; zero if it has expired.
  private var left: Duration {
    let now = dependencies.time.now
    return contents.withLock { contents in
      contents.node == nil ? .zero : max(.zero, contents.asked + Self.timeout - now)
    }
  }

  /// The time since the last granted renewal was requested.
  package var age: Duration {
    let now = dependencies.time.now
    return contents.withLock { now - $0.asked }
  }

  package var takeOverPause: Duration? { .seconds(2) }

  package func keep(_ tell: @escaping @Sendable (OwnershipEvent) -> Void) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { [self] in
        while true {
          let isGranted = await renew(tell)
          try await dependencies.time.sleep(for: isGranted ? Self.pause : Self.pause / 4)
        }
      }
      // In a task of its own, as a renewal may hang.
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

  private func renew(_ tell: @Sendable (OwnershipEvent) -> Void) async -> Bool {
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

  private func join(_ tell: @Sendable (OwnershipEvent) -> Void) async -> Bool {
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

  /// Extends the lease; returns whether the lease had been reported as expired.
  private func extend(from asked: Duration) -> Bool {
    contents.withLock { contents in
      contents.asked = max(contents.asked, asked)
      defer { contents.isSilenceTold = false }
      return contents.isSilenceTold
    }
  }

  private func silence(_ tell: @Sendable (OwnershipEvent) -> Void) {
    let isNews = contents.withLock { contents in
      defer { contents.isSilenceTold = true }
      return contents.node != nil && !contents.isSilenceTold
    }
    if isNews { tell(.silenced) }
  }

  // MARK: Sessions of others

  package func unreadable(viewModel: String) -> WakeFailure {
    .unreadableHere(viewModel: viewModel)
  }

  /// Returns whether to wake a session again: requests under an expired lease fail although the store works, so no
  /// recovery follows.
  package func mustRetry(after failure: WakeFailure?) -> Bool {
    switch failure {
    case nil, .store(.fenced), .store(.unreachable): true
    case .store, .unreadable, .unreadableHere, .setAside, .memoryFull, .elsewhere, .notPermitted:
      false
    }
  }

  package func findOtherNodes(_ done: @escaping @Sendable ([Node]?) -> Void) {
    guard let own = node else { return done(nil) }
    store.livingNodes { result in
      // An earlier process at this node's address may still have a lease.
      done(
        (try? result.get())?.filter {
          $0.number != own.number && ($0.address.isEmpty || $0.address != own.address)
        }
      )
    }
  }

  /// Ends sessions some at a time, as others want to commit, too.
  package func expireUnowned(unusedFor idleTime: Duration) {
    let limit = Self.expiredAtOnce
    store.expire(unusedFor: idleTime, limit: limit) { [weak self] result in
      if case .success(limit) = result { self?.expireUnowned(unusedFor: idleTime) }
    }
  }
}
