/// Passes the events of a view model to its observers, and buffers those to store.
final class Tracer<Model: ViewModel> {
  private let trace: (@Sendable (TraceEvent<Model>) -> Void)?
  private let time: any TimeSource
  // Not checked for overlapping accesses, as in the engine: the engine has exclusive access to them.
  /// Converts events to their stored form; nil if none are stored.
  @exclusivity(unchecked) var record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
  /// The start of the current turn; nil between turns, and without an observer.
  @exclusivity(unchecked) private var began: Duration?
  @exclusivity(unchecked) private var recorded = TraceBuffer()

  init(_ context: EngineContext<Model>) {
    record = context.isRecorded ? context.record : nil
    trace = context.trace
    time = context.time
  }

  /// Creates a tracer without observers.
  init() {
    trace = nil
    time = .system
  }

  /// Whether events are neither observed nor stored.
  var isOfNoUse: Bool { trace == nil && record == nil }

  /// The time, if an observer measures turns.
  var now: Duration? { trace == nil ? nil : time.now }

  private func add(_ event: TraceEvent<Model>) {
    trace?(event)
    if let line = record?(event) { recorded.append(line) }
  }

  func process(_ input: Model.Input) {
    began = now
    add(.input(input))
  }

  func perform(_ action: Model.Action) {
    add(.action(action, isSent: false))
  }

  func receive(_ action: Model.Action) {
    began = now
    add(.action(action, isSent: true))
  }

  func request(_ effects: [AsyncEffect<Model.Action>]) {
    guard let trace else { return }
    for effect in effects { trace(.effect("\(effect)")) }
  }

  func fail(_ error: SendableError) {
    began = began ?? now
    add(.error(error))
  }

  func change(to state: Model.State, from last: Model.State, _ version: Int) {
    trace?(.state(state, from: last, version: version))
  }

  func takeRecorded() -> [UInt8] { recorded.take() }

  /// Returns the buffered events that it has not returned before.
  func takeUnseen() -> [UInt8] { recorded.takeUnseen() }

  /// Reports the end of the current turn, if there is one.
  func end() {
    end(since: began)
    began = nil
  }

  func end(since start: Duration?) {
    guard let start, let trace else { return }
    trace(.ended(time.now - start))
  }
}

/// The events that led to the next stored turn, as JSON objects, one per line.
///
/// Turns that are not stored leave their events to the next stored turn. Beyond 64 KiB only the newest events
/// remain, since those led to that turn.
private struct TraceBuffer {
  private static let limit = 64 * 1024
  private static let cut = Array("{\"cut\":true}\n".utf8)

  private var lines: [UInt8] = []
  /// The number of bytes that watchers have seen.
  private var seen = 0

  mutating func append(_ line: [UInt8]) {
    if lines.count + line.count >= Self.limit {
      let areSeen = seen == lines.count
      (lines, seen) = (Self.cut, 0)
      guard lines.count + line.count < Self.limit else { return }
      if areSeen { seen = lines.count }
    }
    lines += line
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func take() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &lines)
    seen = 0
    return taken
  }

  mutating func takeUnseen() -> [UInt8] {
    defer { seen = lines.count }
    return Array(lines[seen...])
  }
}
