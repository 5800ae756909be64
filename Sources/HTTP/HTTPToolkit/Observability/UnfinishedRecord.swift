import FusionHTTPMessages
import FusionMetrics
import Synchronization

/// The record of a request whose body is still being sent.
///
/// Written once: when the body ends, or when it is released because its client has left.
final class UnfinishedRecord: Sendable {
  private let record: RequestRecord
  private let stopwatch: Stopwatch
  private let write: @Sendable (RequestRecord) -> Void
  private let bytes = Atomic(0)
  private let isFinished = Atomic(false)

  init(
    _ record: RequestRecord,
    since stopwatch: Stopwatch,
    _ write: @escaping @Sendable (RequestRecord) -> Void
  ) {
    self.record = record
    self.stopwatch = stopwatch
    self.write = write
  }

  deinit {
    finish()
  }

  /// Counts bytes that were handed over to be sent.
  func add(_ count: Int) {
    bytes.add(count, ordering: .relaxed)
  }

  /// Writes the record; does nothing after the first call.
  func finish() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    var record = record
    record.bytes = bytes.load(ordering: .relaxed)
    record.duration = .nanoseconds(stopwatch.nanoseconds)
    write(record)
  }
}

/// A deferred response, recorded when it is completed.
struct RecordedResponse: DeferredResponse {
  private let response: any DeferredResponse
  private let record: UnfinishedRecord

  init(_ response: any DeferredResponse, _ record: UnfinishedRecord) {
    self.response = response
    self.record = record
  }

  func complete(_ response: HTTPResponse) -> HTTPResponse {
    let response = self.response.complete(response)
    record.add(response.body.count ?? 0)
    record.finish()
    return response
  }
}

/// A body that is read as it is sent, recorded when the server releases it.
struct RecordedSource: BodySource {
  private let source: any BodySource
  private let record: UnfinishedRecord

  init(_ source: any BodySource, _ record: UnfinishedRecord) {
    self.source = source
    self.record = record
  }

  func read(from place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = unsafe source.read(from: place, into: buffer)
    record.add(count)
    return count
  }
}

/// A stream, recorded when it is closed.
final class RecordedStream: BodyStream {
  private let stream: any BodyStream
  private let record: UnfinishedRecord

  init(_ stream: any BodyStream, _ record: UnfinishedRecord) {
    self.stream = stream
    self.record = record
  }

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    stream.opened(wake: wake, cut: cut)
  }

  var affinity: Int { stream.affinity }

  var endsAnywhere: Bool { stream.endsAnywhere }

  func next() -> BodyStep {
    let step = stream.next()
    if case .chunk(let chunk) = step { record.add(chunk.content.count) }
    return step
  }

  func finalChunk() -> BodyChunk? {
    let chunk = stream.finalChunk()
    record.add(chunk?.content.count ?? 0)
    return chunk
  }

  func closed() {
    stream.closed()
    record.finish()
  }
}
