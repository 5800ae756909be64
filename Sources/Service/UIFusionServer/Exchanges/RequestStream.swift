import FusionHTTPMessages

/// A request's body, in the parts in which it arrives.
///
/// The client sends on as the parts are read: a body of any size takes little memory. One task reads it, once.
public struct RequestStream: AsyncSequence, Sendable {
  /// A part: some bytes, at least one.
  public typealias Element = [UInt8]

  private let request: HTTPRequest

  init(of request: HTTPRequest) {
    self.request = request
  }

  /// Makes an iterator of the parts that no other iterator has taken.
  public func makeAsyncIterator() -> Iterator {
    Iterator(body: request.incoming, whole: request.body)
  }

  /// An iterator of the parts as they arrive.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let body: IncomingBody?
    /// A body that came before its handler was called.
    var whole: [UInt8]

    /// Returns the next part, waiting for it; nil after the last.
    ///
    /// - Throws: ``HTTPError`` with 413 where the body has more bytes than the route takes, with 400 where the client
    ///   has gone; `CancellationError`.
    public mutating func next() async throws -> [UInt8]? {
      guard let body else {
        defer { whole = [] }
        return whole.isEmpty ? nil : whole
      }
      do {
        return try await body.next()
      } catch let failure as IncomingBody.Failure {
        switch failure {
        case .tooLarge(let limit): throw HTTPError(.contentTooLarge.limited(to: limit))
        case .incomplete: throw HTTPError(400, "Send the body in full, before the answer.")
        }
      }
    }
  }
}
