import Synchronization

/// A request's body that its handler reads as it arrives.
///
/// The server adds parts from its own thread, and leaves in the socket the bytes that do not fit here, so
/// that a slow reader slows its client down.
package final class IncomingBody: Sendable {
  package enum Failure: Error, Equatable {
    /// The body has more bytes than the limit.
    case tooLarge(Int)
    /// The client left, the server is stopping, or the request was answered.
    case incomplete
  }

  /// The limits of a body that is read as it arrives.
  package struct Limits: Sendable {
    package let bytes: Int
    /// Whether the client may pause for as long as it likes; then the connection closes after the response.
    package let mayPause: Bool

    package init(bytes: Int, mayPause: Bool = false) {
      self.bytes = bytes
      self.mayPause = mayPause
    }
  }

  /// The outcome of adding a part.
  package enum Intake: Equatable {
    case taken
    /// No room until more is read.
    case full
    /// The body is no longer being read.
    case unwanted
  }

  fileprivate struct State {
    var bytes: [UInt8] = []
    var count = 0
    var isWanted = false
    /// The end, once known; read after `bytes`.
    var end: Result<Void, any Error>?
    var readers: [CheckedContinuation<Void, Never>] = []
    var wanted: (@Sendable () -> Void)?

    var isReady: Bool { end != nil || isWanted && bytes.count < room }
  }

  private let limit: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - limit: the maximum number of bytes to accept.
  ///   - wanted: called on any thread each time that a reader wants more and there is room for it.
  package init(limit: Int, wanted: @escaping @Sendable () -> Void = {}) {
    self.limit = limit
    state = Mutex(State(wanted: wanted))
  }

  /// Whether to add the next part: it was requested and there is room, or reading has ended.
  package var isReady: Bool { state.withLock { $0.isReady } }

  /// Whether the body has ended and was read completely.
  package var isRead: Bool { state.withLock { $0.end != nil && $0.bytes.isEmpty } }

  /// The reason why the body has ended before it was complete; nil if it has not.
  package var failure: (any Error)? {
    state.withLock { state in
      guard case .failure(let error)? = state.end else { return nil }
      return error
    }
  }

  /// Accepts a part completely or not at all.
  ///
  /// Called by one thread at a time.
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

  /// Ends the body, which arrived completely.
  package func finish() { end(.success(())) }

  /// Ends the body before it is complete; does nothing if it has ended.
  package func fail(_ error: any Error = Failure.incomplete) { end(.failure(error)) }

  private func end(_ end: Result<Void, any Error>) {
    let readers = state.withLock { $0.conclude(end) }
    for reader in readers { reader.resume() }
  }

  /// Returns all bytes that arrived since the last call; waits if there are none, and returns nil at the end.
  ///
  /// Cancelling a task while it waits ends the body for all readers.
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
  /// Takes the stored bytes; returns the function to call if more is wanted now, but was not before.
  fileprivate mutating func next() -> (
    part: [UInt8], end: Result<Void, any Error>?, wanted: (@Sendable () -> Void)?
  ) {
    let wasReady = isReady
    let part = bytes
    bytes = []
    isWanted = true
    return (part, end, wasReady ? nil : wanted)
  }

  /// Sets the end unless it is set; returns the waiting readers.
  fileprivate mutating func conclude(
    _ end: Result<Void, any Error>
  ) -> [CheckedContinuation<Void, Never>] {
    guard self.end == nil else { return [] }
    self.end = end
    // The closure retains the connection.
    wanted = nil
    defer { readers = [] }
    return readers
  }
}

/// The number of stored bytes from which further parts are refused: a larger buffer makes no upload faster.
private let room = 65_536
