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

  private struct Guarded {
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
  private let guarded = Mutex(Guarded())

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
    guarded.withLock { ($0.wake, $0.cut) = (wake, cut) }
    // Outside the lock, since it may fail at once.
    let cancel = source { [weak self] in self?.take($0) }
    let isOver = guarded.withLock { guarded in
      guarded.cancel = cancel
      return guarded.isOver
    }
    if isOver { cancel() }
  }

  private func take(_ bytes: [UInt8]?) {
    let next: (@Sendable () -> Void)? = guarded.withLock { guarded in
      if guarded.isOver { return nil }
      guard let bytes else {
        guarded.isOver = true
        if !guarded.hasBegun {
          guarded.waiting = format.retry(afterMilliseconds: Self.pauseAfterRefusal)
        }
        return guarded.wake
      }
      guarded.hasBegun = true
      guarded.waiting += bytes
      guard guarded.waiting.count > Self.limit else { return guarded.wake }
      (guarded.waiting, guarded.isOver) = ([], true)
      return guarded.cut
    }
    next?()
  }

  func next() -> BodyStep {
    guarded.withLock { guarded in
      guard !guarded.waiting.isEmpty else { return guarded.isOver ? .finished : .idle }
      defer { guarded.waiting = [] }
      return .chunk(BodyChunk(guarded.waiting))
    }
  }

  func closed() {
    let cancel = guarded.withLock { guarded in
      (guarded.wake, guarded.cut, guarded.isOver) = (nil, nil, true)
      return guarded.cancel.take()
    }
    cancel?()
    streams.remove(self)
  }

  // A trace is never available by a share.
  var shares: [ShareID] { [] }
  func endShares(_ end: (StoredShare) -> SessionEnd?) {}

  // The other node sends heartbeats.
  func beat(ifSilentSince tick: Int) {}

  func endWithLogin() {
    if let login, !login.stands { end() }
  }

  /// Ends the stream because memory is full: a trace is not small.
  func giveUpIfLarge() { end() }

  private func end() {
    let cut = guarded.withLock { guarded in
      (guarded.waiting, guarded.isOver) = ([], true)
      return guarded.cut
    }
    cut?()
  }
}
