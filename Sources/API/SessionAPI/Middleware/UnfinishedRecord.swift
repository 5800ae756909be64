import FusionHTTPMessages
import FusionMetrics
import Synchronization

/// The record of a request whose body is still to be sent.
///
/// Handed over once: when the body has ended, or when it is let go of, since nobody is there to take it.
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

  /// So many bytes more are handed over.
  func add(_ count: Int) {
    bytes.add(count, ordering: .relaxed)
  }

  func finish() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    var record = record
    record.bytes = bytes.load(ordering: .relaxed)
    record.duration = .nanoseconds(stopwatch.nanoseconds)
    write(record)
  }
}

/// An answer that is completed when it is sent.
struct RecordedAnswer: DeferredResponse {
  private let answer: any DeferredResponse
  private let record: UnfinishedRecord

  init(_ answer: any DeferredResponse, _ record: UnfinishedRecord) {
    self.answer = answer
    self.record = record
  }

  func complete(_ response: HTTPResponse) -> HTTPResponse {
    let response = answer.complete(response)
    record.add(response.body.count ?? 0)
    record.finish()
    return response
  }
}

/// What is read as it is sent; over when the server lets go of it.
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

/// A stream, from its first step to its end.
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
