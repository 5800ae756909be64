import FusionSessions
import Synchronization

/// The reader of a session's feed from another node.
final class RemoteFeed: Sendable {
  private let reader = Mutex<FeedReader?>(FeedReader())
  private let take: @Sendable (FeedReader.Item?) -> Void

  /// - Parameter take: is given what comes, in order; nil is the last, where it has broken off.
  init(_ take: @escaping @Sendable (FeedReader.Item?) -> Void) {
    self.take = take
  }

  func take(_ event: UpstreamEvent) {
    switch event {
    case .open: break
    case .bytes(let bytes):
      do {
        let items = try reader.withLock { try $0?.read(bytes) } ?? []
        for item in items { take(item) }
      } catch {
        end()
      }
    case .end: end()
    }
  }

  private func end() {
    let isEnd = reader.withLock { $0.take() != nil }
    if isEnd { take(nil) }
  }
}
