import FusionHTTPMessages

/// What a connection waits for: the rule by which it is suspended, resumed and answered.
///
/// Pure: it tells what to do and does nothing. One mutex per connection holds it together with the
/// library calls it asks for, so that a connection is resumed exactly once per suspension and
/// never after its end (resuming one that has ended is a use after free).
struct ExchangeState {
  private enum Phase {
    /// No answer is stored: between requests, while one is read, and while the handler runs.
    case open
    /// Suspended until an answer comes.
    case waiting
    /// The answer is there and has not been handed to the library.
    case answered(HTTPResponse)
    /// A stream is being read; `isWoken` where it may have more than it said last.
    case streaming(isWoken: Bool)
    /// A stream had nothing to say and is suspended.
    case resting
    case ended
  }

  private var phase = Phase.open
  /// The server stops: nothing may be suspended from here on.
  private(set) var isClosing = false

  enum Conclusion {
    case answer(HTTPResponse)
    case suspend
    /// The connection has ended, or its answer is under way.
    case nothing
  }

  enum Rest {
    case suspend
    case askAgain
    case end
  }

  enum Abandonment {
    case resume
    case cut
    /// It has ended.
    case nothing
  }

  /// An answer has come; true where the connection is to be resumed.
  ///
  /// Only the first one counts.
  mutating func answer(_ response: HTTPResponse) -> Bool {
    switch phase {
    case .open:
      phase = .answered(response)
      return false
    case .waiting:
      phase = .answered(response)
      return true
    case .answered, .streaming, .resting, .ended:
      return false
    }
  }

  /// What to do now that the handler has returned, or the connection was resumed.
  mutating func conclude() -> Conclusion {
    switch phase {
    case .answered(let response):
      // An answer that closing forced is the last: one that comes later must find nothing open.
      phase = isClosing ? .ended : .open
      return .answer(response)
    case .open where isClosing:
      phase = .ended
      // Its handler was called, and may do what it was asked for yet.
      return .answer(Problem.storeInDoubt.closing.response)
    case .open:
      phase = .waiting
      return .suspend
    case .waiting, .streaming, .resting, .ended:
      return .nothing
    }
  }

  /// The answer just taken is a stream, about to be opened.
  mutating func stream() {
    phase = .streaming(isWoken: false)
  }

  /// The stream may have something to say; true where the connection is to be resumed.
  mutating func wake() -> Bool {
    switch phase {
    case .streaming:
      phase = .streaming(isWoken: true)
      return false
    case .resting:
      phase = .streaming(isWoken: false)
      return true
    case .open, .waiting, .answered, .ended:
      return false
    }
  }

  /// The stream ends, and its peer may be one that does not read.
  ///
  /// One that rests has sent all, and can end in due form. In any other the library may wait for
  /// room in the socket, and would ask for the end only then.
  mutating func abandon() -> Abandonment {
    switch phase {
    case .resting:
      phase = .streaming(isWoken: false)
      return .resume
    case .streaming: return .cut
    case .open, .waiting, .answered, .ended: return .nothing
    }
  }

  /// The stream has nothing to say.
  ///
  /// A wake that came since it was asked is not lost.
  mutating func rest() -> Rest {
    if isClosing { return .end }
    switch phase {
    case .streaming(isWoken: true):
      phase = .streaming(isWoken: false)
      return .askAgain
    case .streaming(isWoken: false):
      phase = .resting
      return .suspend
    case .open, .waiting, .answered, .resting, .ended:
      return .end
    }
  }

  /// The server stops; true where the connection is to be resumed.
  mutating func close() -> Bool {
    isClosing = true
    switch phase {
    case .waiting:
      phase = .answered(Problem.storeInDoubt.closing.response)
      return true
    case .resting:
      phase = .streaming(isWoken: false)
      return true
    case .open, .answered, .streaming, .ended:
      return false
    }
  }

  /// The connection is gone: late answers and wakes find nothing.
  ///
  /// Returns what was not sent, so that it is let go of outside the lock: a stream's deinit may be
  /// anybody's code.
  mutating func end() -> HTTPResponse? {
    defer { phase = .ended }
    guard case .answered(let response) = phase else { return nil }
    return response
  }
}
