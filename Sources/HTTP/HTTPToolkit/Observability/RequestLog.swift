package import FusionHTTPMessages
import Synchronization

/// Writes a record of each request.
///
/// A response with a complete body is recorded at once; any other body carries an ``UnfinishedRecord``, which
/// counts the bytes that are sent.
package final class RequestLog: ResponseStep {
  private let documents: ProblemDocument
  private let subject: @Sendable (PathParameters) -> String?
  private let trace: @Sendable (HTTPHeaders) -> String?
  private let write: @Sendable (RequestRecord) -> Void
  /// The requests that a stop of the server answered: later responses of their handlers are not sent.
  private let abandoned = Mutex<Set<RequestID>>([])

  /// Creates the log.
  ///
  /// - Parameters:
  ///   - documents: the step that writes problems, for the length in the record.
  ///   - subject: the object that a path names, in a form that a log may show.
  ///   - trace: the id of the trace that a request's headers name.
  ///   - write: called on the thread that answers or ends a stream.
  package init(
    _ documents: ProblemDocument,
    subject: @escaping @Sendable (PathParameters) -> String?,
    trace: @escaping @Sendable (HTTPHeaders) -> String?,
    write: @escaping @Sendable (RequestRecord) -> Void
  ) {
    self.documents = documents
    self.subject = subject
    self.trace = trace
    self.write = write
  }

  package func finish(_ response: inout HTTPResponse, to request: RequestContext) {
    let problem = response.problem
    let isStop = request.path == nil && problem?.name == Problem.storeInDoubt.name
    let isAbandoned = abandoned.withLock { abandoned in
      if isStop { abandoned.insert(request.id) }
      return !isStop && abandoned.contains(request.id)
    }
    if isAbandoned { return }
    var record = RequestRecord(
      id: request.id,
      method: request.method,
      route: request.path?.pattern.text,
      status: response.status,
      duration: .nanoseconds(request.nanoseconds),
      subject: request.path.flatMap(subject),
      client: request.client,
      identity: request.identity,
      trace: trace(request.headers),
      problem: problem?.type
    )
    // RFC 9110 §9.3.2, §15.3.5, §15.4.5
    let isBodiless = request.method == .head || [204, 304].contains(response.status)
    guard !isBodiless else { return write(record) }
    let unfinished = { UnfinishedRecord(record, since: request.stopwatch, self.write) }
    documents.finish(&response, to: request)
    switch response.body {
    case .bytes, .shared, .problem:
      record.bytes = response.body.count ?? 0
      write(record)
    case .source(let source, let part):
      response.body = .source(RecordedSource(source, unfinished()), part)
    case .deferred(let late):
      response.body = .deferred(RecordedResponse(late, unfinished()))
    case .stream(let stream):
      response.body = .stream(RecordedStream(stream, unfinished()))
    }
  }
}

extension HTTPResponse {
  fileprivate var problem: Problem? {
    if case .problem(let problem) = body { problem } else { nil }
  }
}

/// The log record of one answered request; a stream is recorded when it ends.
package struct RequestRecord: Sendable {
  package let id: RequestID
  /// The method; nil if the head was malformed.
  package let method: HTTPMethod?
  /// The pattern of the path, never the path itself, which may contain a secret; nil if no route matches.
  package let route: String?
  package let status: Int
  /// The number of body bytes that were handed over to be sent, without their framing.
  package var bytes = 0
  /// The time from the complete request to its response, or to the end of its stream.
  package var duration: Duration
  /// The object that the path names, in a form that the log may show.
  package let subject: String?
  /// The address of the client; with a trusted proxy, that of the proxy's client.
  package let client: IPAddress?
  /// The id of the sender's identity; nil for an anonymous sender.
  package let identity: String?
  /// The id of the trace that the request belongs to (W3C Trace Context).
  package let trace: String?
  /// The type of the problem, if the response is one.
  package let problem: String?
}
