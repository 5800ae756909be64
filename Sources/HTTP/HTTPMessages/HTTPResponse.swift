/// A response: a status, headers, and a body.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: Body

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Bytes that many responses send from one copy, mostly files.
    case shared(SharedBytes)
    /// A part of a source, read as it is sent.
    case source(any BodySource, Range<Int>)
    /// A problem, encoded when the response is sent.
    indirect case problem(Problem)
    /// A body made by the thread that sends it.
    case deferred(any DeferredResponse)
    /// A body sent as it becomes available; the connection closes at its end.
    case stream(any BodyStream)

    /// The number of bytes; nil if it is not known yet.
    package var count: Int? {
      switch self {
      case .bytes(let bytes): bytes.count
      case .shared(let bytes): bytes.count
      case .source(_, let part): part.count
      case .problem(let problem): problem.document().count
      case .deferred, .stream: nil
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
  /// The 304 that stands for this response if the client has it already (RFC 9110 §15.4.5).
  ///
  /// Keeps the headers that a cache needs, and the Content-Length of this body: without one the server would have to
  /// close the connection.
  package var notModified: HTTPResponse {
    var response = HTTPResponse(304)
    for name in ["ETag", "Cache-Control", "Vary", "Content-Location"] {
      response.headers[name] = headers[name]
    }
    response.headers["Content-Length"] = body.count.map(String.init)
    return response
  }
}

/// The part of a response that is made when it is sent.
package protocol DeferredResponse: Sendable {
  /// Returns the response with its body, and with the headers that the body needs.
  ///
  /// Called once, on a thread of the server, which waits for it.
  func complete(_ response: HTTPResponse) -> HTTPResponse
}

/// A response body that becomes available over time.
///
/// The server pulls: it asks for the next step, and if there is none it waits until it is woken. The calls come from
/// the server's threads, never two at a time, in the order opened, next …, closed.
package protocol BodyStream: AnyObject, Sendable {
  /// A number that streams share which one thread should serve: those that send at the same time.
  ///
  /// Read once, before the stream is opened.
  var affinity: Int { get }

  /// Takes two closures, which may be called on any thread, even after the end. Called once, before the first step.
  ///
  /// `wake` makes the server ask again. `cut` makes the server ask once more, or close the connection if the peer
  /// has not read what it was sent: for a stream that gives up on its peer.
  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void)
  /// Returns what to send now. Must not block.
  func next() -> BodyStep
  /// Returns what completes the body as the server stops. Called at most once, in place of the last step.
  func finalChunk() -> BodyChunk?
  /// Releases what the stream holds. Called once, however it ended: by `finished`, by its peer, or as the server stops.
  func closed()
}

extension BodyStream {
  package var affinity: Int { ObjectIdentifier(self).hashValue }

  /// Returns nothing: most bodies may end anywhere.
  package func finalChunk() -> BodyChunk? { nil }
}

/// One step of a streamed body.
package enum BodyStep: Sendable {
  case chunk(BodyChunk)
  /// Nothing to send until the next wake.
  case idle
  case finished
}

/// A body that is read as it is sent, a part at a time, such as a file too large for memory.
package protocol BodySource: Sendable {
  /// Reads bytes from `place` on into a buffer that is not empty; returns their number, or 0 if they are gone.
  ///
  /// Called on a thread of the server, which waits for it.
  func read(from place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int
}
