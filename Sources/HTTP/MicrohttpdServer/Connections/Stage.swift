import Synchronization

/// The phase of a connection and when it began, which deadlines and stopping go by.
///
/// A single word, written by the connection's loop and read by other threads without a lock.
struct Stage: RawRepresentable, AtomicRepresentable, Equatable, Sendable {
  enum Kind: UInt64, Sendable {
    /// Accepted; nothing has come yet.
    case fresh
    /// A response is sent; nothing of a next request was noticed.
    case kept
    /// A request's head is arriving.
    case head
    /// A request's body is arriving.
    case body
    /// The handler has a request that has no response yet, and waits for no more of its body.
    case answering
    /// The response, other than a stream, is on its way out.
    case sending
    /// The response is a stream.
    case streaming
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

  /// Whether a request's head is complete and its response, other than a stream, not sent in full.
  var isAnswering: Bool {
    switch kind {
    case .body, .answering, .sending: true
    case .fresh, .kept, .head, .streaming: false
    }
  }

  /// Whether a response is still to be sent, or to be ended where it is a stream.
  var mayStillSend: Bool {
    switch kind {
    case .answering, .sending, .streaming: true
    case .fresh, .kept, .head, .body: false
    }
  }
}
