import Synchronization

/// A request's body that its handler reads as it arrives.
///
/// The server passes on parts from a thread of its own, and leaves in the socket what finds no room here, so that a
/// slow reader slows its client down.
package final class IncomingBody: Sendable {
  package enum Failure: Error, Equatable {
    /// The body has more bytes than this.
    case tooLarge(Int)
    /// The client has gone, the server stops, or the request is answered.
    case incomplete
  }

  /// The fate of a part.
  package enum Intake: Equatable {
    case taken
    /// There is no room until more is read.
    case full
    /// The body is read no more.
    case unwanted
  }

  fileprivate struct State {
    var bytes: [UInt8] = []
    var count = 0
    var isWanted = false
    /// The end, once it is known; read after `bytes`.
    var end: Result<Void, any Error>?
    var readers: [CheckedContinuation<Void, Never>] = []
    var wanted: (@Sendable () -> Void)?

    var isReady: Bool { end != nil || isWanted && bytes.count < room }
  }

  private let limit: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - limit: the most bytes that are taken.
  ///   - wanted: called, on any thread, each time that there is room for more.
  package init(limit: Int, wanted: @escaping @Sendable () -> Void = {}) {
    self.limit = limit
    state = Mutex(State(wanted: wanted))
  }

  /// Whether the next part is of use: it was asked for and there is room, or nobody reads any more.
  package var isReady: Bool { state.withLock { $0.isReady } }

  /// Whether the body has ended, and all of it is read.
  package var isRead: Bool { state.withLock { $0.end != nil && $0.bytes.isEmpty } }

  /// Takes a part in full, or not at all.
  ///
  /// One thread at a time.
  package func take(_ part: UnsafeBufferPointer<UInt8>) -> Intake {
    let (intake, readers) = state.withLock { state in
      guard state.end == nil else { return (Intake.unwanted, [CheckedContinuation<Void, Never>]()) }
      guard state.isReady else { return (.full, []) }
      state.count += part.count
      if state.count > limit {
        return (.unwanted, state.conclude(.failure(Failure.tooLarge(limit))))
      }
      unsafe state.bytes.append(contentsOf: part)
      defer { state.readers = [] }
      return (.taken, state.readers)
    }
    for reader in readers { reader.resume() }
    return intake
  }

  /// Ends the body, which has come in full.
  package func finish() { end(.success(())) }

  /// Ends the body before it is complete; without effect after an end.
  package func fail(_ error: any Error = Failure.incomplete) { end(.failure(error)) }

  private func end(_ end: Result<Void, any Error>) {
    let readers = state.withLock { $0.conclude(end) }
    for reader in readers { reader.resume() }
  }

  /// Returns all bytes that have come since the last call, waiting for some; nil after the last.
  ///
  /// A task that is cancelled while it waits ends the body for all that read it.
  package func next() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      while true {
        let (part, end, wanted) = state.withLock { $0.next() }
        wanted?()
        if !part.isEmpty { return part }
        if let end {
          try end.get()
          return nil
        }
        await withCheckedContinuation { reader in
          let isWaiting = state.withLock { state in
            guard state.bytes.isEmpty, state.end == nil else { return false }
            state.readers.append(reader)
            return true
          }
          if !isWaiting { reader.resume() }
        }
      }
    } onCancel: {
      fail(CancellationError())
    }
  }
}

extension IncomingBody.State {
  /// Takes what there is, and returns whom to tell that there is room.
  fileprivate mutating func next() -> (
    part: [UInt8], end: Result<Void, any Error>?, wanted: (@Sendable () -> Void)?
  ) {
    let wasReady = isReady
    let part = bytes
    bytes = []
    isWanted = true
    return (part, end, wasReady ? nil : wanted)
  }

  /// Notes the end unless there is one, and returns who waits for it.
  fileprivate mutating func conclude(
    _ end: Result<Void, any Error>
  ) -> [CheckedContinuation<Void, Never>] {
    guard self.end == nil else { return [] }
    self.end = end
    // It holds the connection.
    wanted = nil
    defer { readers = [] }
    return readers
  }
}

/// The bytes from which on a part finds no room: more makes no upload faster.
private let room = 65_536
