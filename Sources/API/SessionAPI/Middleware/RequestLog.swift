import FusionHTTPMessages
import FusionSessions
import Synchronization

/// Hands a record of each request to the log; there is none where the log would not take it.
///
/// An answer that is there with its body has its record at once. Any other body is sent with an
/// ``UnfinishedRecord``, which counts it.
final class RequestLog: AnswerStep {
  private let write: @Sendable (RequestRecord) -> Void
  /// Requests that a stop of the server has answered: what their handlers answer later is sent to nobody.
  private let givenUp = Mutex<Set<RequestID>>([])

  private let basePath: BasePath

  init(below basePath: BasePath, write: @escaping @Sendable (RequestRecord) -> Void) {
    self.basePath = basePath
    self.write = write
  }

  func finish(
    _ response: inout HTTPResponse,
    to request: RequestContext,
    after nanoseconds: Int
  ) {
    let problem = response.problem
    let isStop = request.route == nil && problem?.name == Problem.storeInDoubt.name
    let isGivenUp = givenUp.withLock { givenUp in
      if isStop { givenUp.insert(request.id) }
      return !isStop && givenUp.contains(request.id)
    }
    if isGivenUp { return }
    var record = RequestRecord(
      id: request.id,
      method: request.method,
      route: request.route?.pattern.text,
      status: response.status,
      duration: .nanoseconds(nanoseconds),
      session: request.session?.redacted,
      client: request.client,
      trace: request.trace,
      problem: problem?.type
    )
    // RFC 9110 §9.3.2, §15.3.5, §15.4.5
    let isBodiless = request.method == .head || [204, 304].contains(response.status)
    guard !isBodiless else { return write(record) }
    switch response.body {
    case .bytes, .shared:
      record.bytes = response.body.count ?? 0
      write(record)
    case .problem(let problem):
      // As `ProblemDocument` is about to write it.
      record.bytes = problem.document(requestID: request.id, below: basePath.text).count
      write(record)
    case .source(let source, let part):
      response.body = .source(RecordedSource(source, unfinished(record, request)), part)
    case .deferred(let answer):
      response.body = .deferred(RecordedAnswer(answer, unfinished(record, request)))
    case .stream(let stream):
      response.body = .stream(RecordedStream(stream, unfinished(record, request)))
    }
  }

  private func unfinished(
    _ record: RequestRecord,
    _ request: RequestContext
  ) -> UnfinishedRecord {
    UnfinishedRecord(record, since: request.stopwatch, write)
  }
}

extension HTTPResponse {
  fileprivate var problem: Problem? {
    if case .problem(let problem) = body { problem } else { nil }
  }
}
