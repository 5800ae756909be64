import Synchronization

/// The phase of a connection and its start, for deadlines and for stopping.
///
/// A single word, written by the connection's loop and read by other threads without a lock.
struct Stage: RawRepresentable, AtomicRepresentable, Equatable, Sendable {
  enum Kind: UInt64, Sendable {
    /// Accepted; nothing has arrived yet.
    case fresh
    /// A response was sent; no next request has been noticed.
    case kept
    /// A request's head is arriving.
    case head
    /// A request's body is arriving.
    case body
    /// The handler has a request without a response yet, and does not wait for more of its body.
    case answering
    /// The response, other than a stream, is being sent.
    case sending
    /// The response is a stream.
    case streaming
    /// A request's body is arriving whose client may pause.
    case pausing
  }

  let rawValue: UInt64

  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(_ kind: Kind, since time: Milliseconds) {
    rawValue = time << 3 | kind.rawValue
  }

  var kind: Kind { Kind(rawValue: rawValue & 7) ?? .answering }
  var since: Milliseconds { rawValue >> 3 }

  /// Whether a request's head is complete and its response, other than a stream, is not completely sent.
  var isAnswering: Bool {
    switch kind {
    case .body, .pausing, .answering, .sending: true
    case .fresh, .kept, .head, .streaming: false
    }
  }

  /// Whether a response must still be sent, or a stream ended.
  var mayStillSend: Bool {
    switch kind {
    case .answering, .sending, .streaming: true
    case .fresh, .kept, .head, .body, .pausing: false
    }
  }
}
