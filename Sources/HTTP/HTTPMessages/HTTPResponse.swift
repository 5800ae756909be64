/// A response: a status, headers, and a body.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: Body

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Bytes that many responses send from a single copy, mostly files.
    case shared(SharedBytes)
    /// A part of a source, read as it is sent.
    case source(any BodySource, Range<Int>)
    /// A problem, encoded when the response is sent.
    indirect case problem(Problem)
    /// A body that the sending thread creates.
    case deferred(any DeferredResponse)
    /// A body that is sent as it becomes available; the connection closes at its end.
    case stream(any BodyStream)

    /// The number of bytes; nil if it is not yet known.
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
  /// The 304 that replaces this response if the client already has it (RFC 9110 §15.4.5).
  ///
  /// Keeps the headers that a cache needs, and the Content-Length of this body, without which the server
  /// would have to close the connection.
  package var notModified: HTTPResponse {
    var response = HTTPResponse(304)
    for name in ["ETag", "Cache-Control", "Vary", "Content-Location"] {
      response.headers[name] = headers[name]
    }
    response.headers["Content-Length"] = body.count.map(String.init)
    return response
  }
}

/// The part of a response that is created when it is sent.
package protocol DeferredResponse: Sendable {
  /// Returns the response with its body, and with the headers that the body requires.
  ///
  /// Called once, on a server thread, which waits for it, or earlier.
  func complete(_ response: HTTPResponse) -> HTTPResponse
}
