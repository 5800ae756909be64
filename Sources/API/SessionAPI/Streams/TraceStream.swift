import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import Synchronization
import UIFusionKit

/// A client's stream of a session's trace, which the session does not notice.
///
/// The stream reads from the bounded trace at the client's pace; events that were dropped before the client
/// could take them are counted.
final class TraceStream: BodyStream, OpenStream {
  private struct Contents {
    var following: SessionTrace.Following?
    /// The events that precede those of the trace.
    var opening: [[UInt8]] = []
    /// The number of the trace's last sent event.
    var sent = 0
    /// Whether the client was sent the running work after the session woke.
    var hasBegun = false
    var isOver = false
    var isHeartbeatDue = false
    var lastSent: Int
    var wake: (@Sendable () -> Void)?
    var cut: (@Sendable () -> Void)?
  }

  private let session: WatchedSession
  private let format: any StreamFormat
  private let streams: Streams
  private let slot: ClientSlot?
  private let login: (any SenderLogin)?
  /// The id of the client's last event; nil for none.
  private let position: String?
  private let contents: Mutex<Contents>

  /// Opens the stream, whose slot ``Streams`` has reserved.
  ///
  /// `opening` is the first event, if any.
  init(
    of session: WatchedSession,
    in format: any StreamFormat,
    after position: String?,
    opening: WireEvent?,
    login: (any SenderLogin)?,
    _ streams: Streams,
    _ slot: ClientSlot?
  ) {
    (self.session, self.format, self.streams, self.slot) = (session, format, streams, slot)
    (self.login, self.position) = (login, position)
    var first = [format.retry(afterMilliseconds: 1_000)].filter { !$0.isEmpty }
    if let opening { first.append(format.bytes(of: opening)) }
    contents = Mutex(Contents(opening: first, lastSent: streams.tick))
  }

  deinit {
    streams.free()
  }

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    streams.add(self)
    let following = session.begin(wake)
    let sessionEnd = session.sessionEnd
    contents.withLock { contents in
      contents.following = following
      (contents.wake, contents.cut) = (wake, cut)
      contents.sent = following?.last ?? 0
      if let position, !position.isEmpty, let following {
        if let number = following.trace.number(of: position) {
          contents.sent = number
        } else {
          contents.opening.append(format.bytes(of: .dropped(nil)))
        }
      }
      guard let sessionEnd else { return }
      contents.opening.append(format.bytes(of: .end(sessionEnd)))
      contents.isOver = true
    }
  }

  func closed() {
    let following = contents.withLock { contents in
      (contents.wake, contents.cut, contents.isOver) = (nil, nil, true)
      return contents.following.take()
    }
    if let following { session.end(following) }
    streams.remove(self)
  }

  func next() -> BodyStep {
    contents.withLock { contents in
      guard let bytes = nextBytes(&contents) else { return contents.isOver ? .finished : .idle }
      contents.isHeartbeatDue = false
      contents.lastSent = streams.tick
      return .chunk(BodyChunk(bytes))
    }
  }

  private func nextBytes(_ contents: inout Contents) -> [UInt8]? {
    if !contents.opening.isEmpty { return contents.opening.removeFirst() }
    guard !contents.isOver, let trace = contents.following?.trace else { return nil }
    while let (event, dropped) = trace.event(after: contents.sent) {
      guard dropped == 0 else {
        contents.sent += dropped
        return format.bytes(of: .dropped(dropped))
      }
      contents.sent = event.number
      switch event.kind {
      // The event is for another reader, who has just connected.
      case .note(.began(_, _), _) where contents.hasBegun: continue
      case .note(.began(_, _), _): contents.hasBegun = true
      case .asleep: contents.hasBegun = false
      case .over, .moved: contents.isOver = true
      case .note: break
      }
      return format.bytes(of: event.wireEvent(in: trace))
    }
    return contents.isHeartbeatDue ? format.heartbeat : nil
  }

  // A trace is never available by a share.
  var shares: [ShareID] { [] }
  func endShares(_ end: (StoredShare) -> SessionEnd?) {}

  func endWithLogin() {
    if let login, !login.stands { end() }
  }

  private func end() {
    let wake = contents.withLock { contents in
      contents.isOver = true
      return contents.wake
    }
    wake?()
  }

  func sendHeartbeat(ifSilentSince tick: Int) {
    let wake = contents.withLock { contents in
      guard contents.lastSent <= tick else { return nil as (@Sendable () -> Void)? }
      contents.isHeartbeatDue = true
      return contents.wake
    }
    guard let wake else { return }
    wake()
    // The client reconnects, and is directed there.
    session.lookElsewhere { [weak self] in self?.end() }
  }

  /// Ends the stream because memory is full: a trace is not small.
  func giveUpIfLarge() {
    let cut = contents.withLock { contents in
      contents.isOver = true
      contents.opening = []
      return contents.cut
    }
    cut?()
  }
}

extension SessionTrace {
  /// Returns the number of the event with an id; nil if the id belongs to another trace.
  fileprivate func number(of id: String) -> Int? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == name else { return nil }
    return Int(parts[1])
  }
}
