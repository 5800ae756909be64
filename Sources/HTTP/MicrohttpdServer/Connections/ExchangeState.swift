import FusionHTTPMessages

/// The state of a connection's exchange: decides when the connection is suspended, resumed and answered.
///
/// A pure value that returns the action to take. The connection's mutex guards it together with the library
/// calls that follow, so that a connection is resumed exactly once per suspension and never after its end
/// (resuming an ended connection is a use after free).
///
///     open ──answer──▶ answered ──next──▶ open          waiting ──answer, close──▶ answered
///     open ──next──▶ waiting (suspended)                open ──beginStream──▶ streaming
///     open ──hold──▶ holding (suspended)                holding ──release, close──▶ open, ──answer──▶ answered
///     streaming ──idle──▶ resting (suspended)           resting ──wake, cancel, close──▶ streaming
struct ExchangeState {
  private enum Phase {
    /// No response is stored: between requests, while a request is read, and while the handler runs.
    case open
    /// The connection is suspended until a response comes.
    case waiting
    /// The connection is suspended until a response comes, or more of the body is requested.
    case holding
    /// The response is stored, but not yet passed to the library.
    case answered(HTTPResponse)
    /// A stream is being read; `isWoken` tells that it may have more data than when it was last asked.
    case streaming(isWoken: Bool)
    /// The stream is idle and the connection suspended.
    case resting
    case ended
  }

  private var phase = Phase.open
  /// Whether the server is stopping: from then on nothing is suspended.
  private(set) var isClosing = false

  enum NextAction {
    case send(HTTPResponse)
    case suspend
    /// The connection has ended, or its response is being sent.
    case nothing
  }

  enum IdleAction {
    case suspend
    case askAgain
    case end
  }

  enum CancelAction {
    case resume
    case cut
    /// The stream has ended.
    case nothing
  }

  /// Stores a response; returns whether to resume the connection.
  ///
  /// Only the first response counts.
  mutating func answer(_ response: HTTPResponse) -> Bool {
    switch phase {
    case .open:
      phase = .answered(response)
      return false
    case .waiting, .holding:
      phase = .answered(response)
      return true
    case .answered, .streaming, .resting, .ended:
      return false
    }
  }

  /// Decides how to continue after the handler has returned, or the connection was resumed.
  mutating func next() -> NextAction {
    switch phase {
    case .answered(let response):
      // A response that was forced by closing is the last: a later one must find nothing open.
      phase = isClosing ? .ended : .open
      return .send(response)
    case .open where isClosing:
      phase = .ended
      // The handler was called, and may still process the request.
      return .send(Problem.storeInDoubt.closing.response)
    case .open:
      phase = .waiting
      return .suspend
    case .waiting, .holding, .streaming, .resting, .ended:
      return .nothing
    }
  }

  /// Whether a response is stored.
  var isAnswered: Bool { if case .answered = phase { true } else { false } }

  /// Whether the request arrived completely, and only its response is missing.
  var isWaiting: Bool { if case .waiting = phase { true } else { false } }

  /// Waits until more of the body is requested; returns whether to suspend the connection.
  mutating func hold() -> Bool {
    guard case .open = phase, !isClosing else { return false }
    phase = .holding
    return true
  }

  /// Notes that more of the body is requested; returns whether to resume the connection.
  mutating func release() -> Bool {
    guard case .holding = phase else { return false }
    phase = .open
    return true
  }

  /// Notes that the response that was just taken is a stream.
  mutating func beginStream() {
    phase = .streaming(isWoken: false)
  }

  /// Notes that the stream may have more data; returns whether to resume the connection.
  mutating func wake() -> Bool {
    switch phase {
    case .streaming:
      phase = .streaming(isWoken: true)
      return false
    case .resting:
      phase = .streaming(isWoken: false)
      return true
    case .open, .waiting, .holding, .answered, .ended:
      return false
    }
  }

  /// Ends a stream whose peer may not be reading.
  ///
  /// An idle stream has sent everything and can end cleanly. Otherwise the library may be waiting for room in
  /// the socket, and would ask for the end only then.
  mutating func cancelStream() -> CancelAction {
    switch phase {
    case .resting:
      phase = .streaming(isWoken: false)
      return .resume
    case .streaming: return .cut
    case .open, .waiting, .holding, .answered, .ended: return .nothing
    }
  }

  /// Decides what to do with a stream that has nothing to send; a wake since it was asked is not lost.
  mutating func idle() -> IdleAction {
    if isClosing { return .end }
    switch phase {
    case .streaming(isWoken: true):
      phase = .streaming(isWoken: false)
      return .askAgain
    case .streaming(isWoken: false):
      phase = .resting
      return .suspend
    case .open, .waiting, .holding, .answered, .resting, .ended:
      return .end
    }
  }

  /// Notes that the server is stopping; returns whether to resume the connection.
  mutating func close() -> Bool {
    isClosing = true
    switch phase {
    case .waiting:
      phase = .answered(Problem.storeInDoubt.closing.response)
      return true
    case .holding:
      phase = .open
      return true
    case .resting:
      phase = .streaming(isWoken: false)
      return true
    case .open, .answered, .streaming, .ended:
      return false
    }
  }

  /// Notes that the connection has ended: later responses and wakes do nothing.
  ///
  /// Returns the unsent response, to be released outside the lock: a stream's deinit may run any code.
  mutating func end() -> HTTPResponse? {
    defer { phase = .ended }
    guard case .answered(let response) = phase else { return nil }
    return response
  }
}
