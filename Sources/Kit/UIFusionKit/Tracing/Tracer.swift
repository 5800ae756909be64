/// Tells what happens in a view model to who looks on, and keeps what is to be stored of it.
final class Tracing<Model: ViewModel> {
  private let record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
  private let trace: (@Sendable (TraceEvent<Model>) -> Void)?
  private let time: any TimeSource
  // Not checked for overlapping accesses, as in the engine: nobody else reaches them.
  /// When the turn that runs began; nil between turns, and where nobody looks on.
  @exclusivity(unchecked) private var began: Duration?
  @exclusivity(unchecked) private var recorded = RecordedTrace()

  /// Nil where events are of use to nobody.
  init?(_ reporting: Reporting<Model>) {
    guard reporting.trace != nil || reporting.record != nil else { return nil }
    record = reporting.record
    trace = reporting.trace
    time = reporting.time
  }

  /// The time, where anybody is told how long a turn takes.
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

  func ask(for effects: [AsyncEffect<Model.Action>]) {
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

  func end() {
    end(since: began)
    began = nil
  }

  func end(since start: Duration?) {
    guard let start, let trace else { return }
    trace(.ended(time.now - start))
  }
}
