/// An answer: a status, headers, and a body that is either there or still to come.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: Body

  package enum Body: Sendable {
    case bytes([UInt8])
    /// What many are sent, files above all: one copy for all of them.
    case shared(SharedBytes)
    /// A part of what is read as it is sent.
    case source(any BodySource, Range<Int>)
    /// Written as a document when the answer leaves.
    indirect case problem(Problem)
    /// Completed by the thread that sends it, for which who answers need not wait.
    case late(any DeferredResponse)
    /// Sent as it becomes available; the connection closes when it has ended.
    case stream(any BodyStream)

    /// How many bytes it has; nil where that is not known yet.
    package var count: Int? {
      switch self {
      case .bytes(let bytes): bytes.count
      case .shared(let bytes): bytes.count
      case .source(_, let part): part.count
      case .problem(let problem): problem.document().count
      case .late, .stream: nil
      }
    }
  }

  package init(_ status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(_ status: Int, json: [UInt8], headers: HTTPHeaders = [:]) {
    self.init(status, headers: headers, body: .bytes(json))
    self.headers.append("Content-Type", "application/json")
  }
}

extension HTTPResponse {
  /// What tells a client that it has this response already (RFC 9110 §15.4.5).
  ///
  /// It keeps the headers that a cache looks at. Content-Length is what the body's would have been:
  /// a 304 without it could not be told from one whose connection has to close.
  package var notModified: HTTPResponse {
    var response = HTTPResponse(304)
    for name in ["ETag", "Cache-Control", "Vary", "Content-Location"] {
      response.headers[name] = headers[name]
    }
    response.headers["Content-Length"] = body.count.map(String.init)
    return response
  }
}

/// What is left to be done for an answer when it is sent.
package protocol DeferredResponse: Sendable {
  /// The answer with its body, and with the headers that this needs.
  ///
  /// Called once, on a thread of the server, which waits for it.
  func complete(_ response: HTTPResponse) -> HTTPResponse
}

/// A response body that comes into being over time.
///
/// The server pulls: it asks for the next step, and where there is none it rests until it is woken.
/// The calls come from the server's threads, never two at a time, in the order opened, next …,
/// closed.
package protocol BodyStream: AnyObject, Sendable {
  /// Streams with the same number are served by one thread: worth it for those that speak at the same time.
  ///
  /// Asked once, before the stream is opened.
  var affinity: Int { get }

  /// Called once, before the first step; both closures may be called from any thread, at any time,
  /// even after the end.
  ///
  /// `wake` makes the server ask again. `cut` is for a stream that has given up on its peer: it
  /// makes the server ask once more, or close the connection where the peer has not yet read what
  /// it was sent before.
  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void)
  /// What to send now. Must not block.
  func next() -> BodyStep
  /// The server stops: what completes the body, if anything does. Asked for in the place of a step, once;
  /// no other step follows.
  func conclusion() -> BodyChunk?
  /// Called once, however the stream ended: by its own `finished`, its peer's leaving, or a stop.
  func closed()
}

extension BodyStream {
  package var affinity: Int { ObjectIdentifier(self).hashValue }

  /// Most bodies may end anywhere.
  package func conclusion() -> BodyChunk? { nil }
}

/// One step of a streamed body.
package enum BodyStep: Sendable {
  case chunk(BodyChunk)
  /// Nothing to send until the next wake.
  case idle
  case finished
}
