import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import UIFusionKit

/// The following of sessions by others, whichever nodes own them.
struct SessionFollowing: Sendable {
  let access: SessionAccess
  let host: HostServices

  /// Shows a session's newest views to its follower, whichever node owns it, until it ends or the task is
  /// cancelled; a name is followed on to the next session that has it.
  func follow(
    _ wish: FollowWish,
    _ show: @Sendable (FollowedView) async -> Void
  ) async {
    let firstPause = Duration.milliseconds(100)
    var pause = firstPause
    // Whether the follower knows that no session has the address.
    var isKnownEnded = false
    while !Task.isCancelled {
      var hasEnded = false
      switch await find(wish) {
      case .found(let source):
        pause = firstPause
        isKnownEnded = false
        hasEnded = await watch(source, show)
      case .ended, .unknown, .failed(.notPermitted): hasEnded = true
      case nil: return
      case .failed: break
      }
      if hasEnded {
        if !isKnownEnded { await show(.ended) }
        isKnownEnded = true
        guard host.isFree(wish.address) else { return }
      }
      guard (try? await host.dependencies.time.sleep(for: pause)) != nil else { return }
      pause = min(pause * 2, .seconds(10))
    }
  }

  /// Finds a session that the follower may see, and begins to use it; nil if that is the follower itself.
  private func find(_ wish: FollowWish) async -> FollowedSession? {
    let id: SessionID
    switch await host.find(wish.address, for: wish.identity) {
    // It would never sleep. It has its own State, and is not over.
    case .success(wish.follower): return nil
    case .success(nil): return .unknown
    case .success(let found?): id = found
    case .failure(let error): return .failed(.store(error))
    }
    let sender = RequestSender(session: "\(wish.follower)", of: wish.identity)
    return await withCheckedContinuation { done in
      // At any version: the State must not be older than the one that the follower saw before it slept.
      access.follow([(Claim(.read, to: id, by: sender), seen: .max)]) { found in
        // Called here, while the session is known to be awake.
        if case .found(let source) = found[0] { source.beginUse() }
        done.resume(returning: found[0])
      }
    }
  }

  /// Shows the views of a session, and then ends its use; returns whether the session is over.
  private func watch(
    _ source: any StreamSource,
    _ show: @Sendable (FollowedView) async -> Void
  ) async -> Bool {
    let (changes, change) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let following = source.feed.follow { change.yield() }
    defer {
      source.feed.unfollow(following)
      source.endUse()
    }
    change.yield()
    var seen = 0
    for await _ in changes {
      let view = source.feed.current
      if let snapshot = view.snapshot, snapshot.version > seen {
        seen = snapshot.version
        await show(.json(snapshot.state))
      }
      if view.end != nil { return true }
      if view.hasMoved { return false }
    }
    return false
  }
}
