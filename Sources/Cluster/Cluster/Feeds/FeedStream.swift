import FusionHTTPMessages
import FusionSessions
import Synchronization

/// A feed of this node's sessions, read by the node that follows them.
final class FeedStream: BodyStream {
  private struct Contents {
    var sources = FeedSources()
    var isHeartbeatDue = false
    var wake: @Sendable () -> Void = {}
    var isOver = false
  }

  let name: String
  /// The address of the reading node, empty if it has none; nil if its build does not know of visitors.
  private let reader: String?
  private let host: SessionHost
  private let server: FeedServer
  private let contents = Mutex(Contents())

  init(_ name: String, readBy reader: String?, _ host: SessionHost, _ server: FeedServer) {
    self.name = name
    self.reader = reader
    self.host = host
    self.server = server
  }

  // MARK: Changes

  func apply(_ changes: [FeedChange]) {
    for change in changes {
      switch change {
      case .follow(let number, let id): follow(number, id)
      case .drop(let number): contents.withLock { _ = $0.sources.remove(number) }
      case .enter(let number, let visitor):
        contents.withLock { $0.sources.enter(visitor, number) }
      case .leave(let number, let visitor):
        contents.withLock { $0.sources.leave(visitor, number) }
      }
    }
  }

  private func follow(_ number: Int, _ id: SessionID) {
    let isExpected = contents.withLock { !$0.isOver && $0.sources.expect(number) }
    guard isExpected else { return }
    // The other node knows from the store that the session is here: a remembered location is outdated.
    host.directory.forgetLocation(of: id)
    host.waker.wake([id]) { [weak self] failure in self?.begin(number, id, failure) }
  }

  private func begin(_ number: Int, _ id: SessionID, _ failure: WakeFailure?) {
    switch host.directory.find(id) {
    case .resident(let session) where failure == nil && (try? session.requireMemory()) != nil:
      change { [self] sources in
        if reader != nil, session.isToldOfVisitors { sources.askForVisitors(number) }
        sources.begin(number, session, PulseKeeper(self, number)) { [weak self] in
          self?.change { $0.mark(number) }
        }
      }
    case .ended(let end): change { $0.finish(.end(number, end)) }
    case .resident, .asleep, .unknown: change { $0.finish(.lost(number)) }
    }
  }

  /// Gives up the sessions for which this node may not answer, and large ones while memory is full.
  ///
  /// Called once a second; sends a heartbeat.
  func watch() {
    let lost = contents.withLock(\.sources.sessions).filter { _, session in
      host.directory.isAsleep(session.id) || (try? session.requireMemory()) == nil
    }
    let wake = contents.withLock { contents in
      for (number, _) in lost { contents.sources.finish(.lost(number)) }
      contents.isHeartbeatDue = true
      return contents.wake
    }
    wake()
  }

  /// Takes the addresses of the living nodes.
  func update(livingAddresses present: Set<String>) {
    guard let reader, !reader.isEmpty else { return }
    contents.withLock { $0.sources.setReaderThere(present.contains(reader)) }
  }

  fileprivate func change(_ body: (inout FeedSources) -> Void) {
    let wake = contents.withLock { contents in
      body(&contents.sources)
      return contents.wake
    }
    wake()
  }

  // MARK: The body of the response

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    let isNew = server.add(self)
    contents.withLock { contents in
      contents.wake = wake
      contents.isOver = !isNew
      // Tells the reader that the feed is open.
      contents.isHeartbeatDue = isNew
    }
  }

  func next() -> BodyStep {
    contents.withLock { contents in
      var bytes = contents.sources.nextBytes()
      if contents.isHeartbeatDue, bytes.isEmpty { bytes = [FeedFrame.heartbeat] }
      contents.isHeartbeatDue = false
      if !bytes.isEmpty { return .chunk(BodyChunk(bytes)) }
      return contents.isOver ? .finished : .idle
    }
  }

  func closed() {
    server.remove(self)
    contents.withLock { contents in
      contents.isOver = true
      contents.wake = {}
      contents.sources.removeAll()
    }
  }
}

/// A follower that has a feed keep each snapshot that must not be skipped.
private final class PulseKeeper: Follower {
  private weak let stream: FeedStream?
  private let number: Int

  init(_ stream: FeedStream, _ number: Int) {
    (self.stream, self.number) = (stream, number)
  }

  func willReplace(_ snapshot: Snapshot, of _: SnapshotFeed) {
    stream?.change { $0.keep(snapshot, of: number) }
  }
}
