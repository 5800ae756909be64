import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import Synchronization

/// Another node's stream, forwarded to a client as it arrives.
///
/// The stream ends with the other node's, or if the client reads it too slowly; a client that reconnects
/// continues after its last event.
final class RelayedStream: BodyStream, OpenStream {
  /// Opens the other node's stream: calls the closure with its bytes, and with nil at the end; returns a
  /// function that ends it.
  typealias Source =
    @Sendable (_ take: @escaping @Sendable ([UInt8]?) -> Void) -> @Sendable () -> Void

  private struct Contents {
    var waiting: [UInt8] = []
    var hasBegun = false
    var isOver = false
    var wake: (@Sendable () -> Void)?
    var cut: (@Sendable () -> Void)?
    var cancel: (@Sendable () -> Void)?
  }

  /// The maximum number of waiting bytes.
  ///
  /// The first event takes about 90 bytes for each running effect: with 50,000 effects it does not fit.
  private static let limit = 4 << 20
  /// The time in milliseconds after which a refused client reconnects.
  private static let pauseAfterRefusal = 5_000

  private let format: any StreamFormat
  private let login: (any SenderLogin)?
  private let streams: Streams
  private let slot: ClientSlot?
  private let source: Source
  private let contents = Mutex(Contents())

  /// Opens the stream; ``Streams`` has reserved its slot.
  init(
    in format: any StreamFormat,
    login: (any SenderLogin)?,
    _ streams: Streams,
    _ slot: ClientSlot?,
    from source: @escaping Source
  ) {
    (self.format, self.login, self.streams, self.slot) = (format, login, streams, slot)
    self.source = source
  }

  deinit {
    streams.free()
  }

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    streams.add(self)
    contents.withLock { ($0.wake, $0.cut) = (wake, cut) }
    // Outside the lock, since it may fail at once.
    let cancel = source { [weak self] in self?.take($0) }
    let isOver = contents.withLock { contents in
      contents.cancel = cancel
      return contents.isOver
    }
    if isOver { cancel() }
  }

  private func take(_ bytes: [UInt8]?) {
    let next: (@Sendable () -> Void)? = contents.withLock { contents in
      if contents.isOver { return nil }
      guard let bytes else {
        contents.isOver = true
        if !contents.hasBegun {
          contents.waiting = format.onlyRetry(afterMilliseconds: Self.pauseAfterRefusal)
        }
        return contents.wake
      }
      contents.hasBegun = true
      contents.waiting += bytes
      guard contents.waiting.count > Self.limit else { return contents.wake }
      (contents.waiting, contents.isOver) = ([], true)
      return contents.cut
    }
    next?()
  }

  func next() -> BodyStep {
    contents.withLock { contents in
      guard !contents.waiting.isEmpty else { return contents.isOver ? .finished : .idle }
      defer { contents.waiting = [] }
      return .chunk(BodyChunk(contents.waiting))
    }
  }

  func closed() {
    let cancel = contents.withLock { contents in
      (contents.wake, contents.cut, contents.isOver) = (nil, nil, true)
      return contents.cancel.take()
    }
    cancel?()
    streams.remove(self)
  }

  // A trace is never available by a share.
  var shares: [ShareID] { [] }
  func endShares(_ end: (StoredShare) -> SessionEnd?) {}

  // The other node sends heartbeats.
  func sendHeartbeat(ifSilentSince tick: Int) {}

  func endWithLogin() {
    if let login, !login.stands { end() }
  }

  /// Ends the stream because memory is full: a trace is not small.
  func giveUpIfLarge() { end() }

  private func end() {
    let cut = contents.withLock { contents in
      (contents.waiting, contents.isOver) = ([], true)
      return contents.cut
    }
    cut?()
  }
}
