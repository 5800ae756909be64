/// What a view model at work is given: how its States are shown, and who looks on.
public struct Reporting<Model: ViewModel> {
  let render: @Sendable (_ state: Model.State) -> any RenderedState
  let record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
  let trace: (@Sendable (TraceEvent<Model>) -> Void)?
  let time: any TimeSource
  let resuming: Resumption<Model.State>?
}

@available(*, unavailable)
extension Reporting: Sendable {}

/// Knows the State that was shown last, and traces what leads to the next.
///
/// Nothing is made for a trace unless somebody looks on, or it is stored.
struct Reporter<Model: ViewModel> {
  private let reporting: Reporting<Model>
  private var last: Model.State
  /// When the turn that runs began; nil between turns, and where nobody looks on.
  private var began: Duration?
  private var recorded = RecordedTrace()

  /// Begins with a first State; where a view model is resumed, with the one that it goes on from.
  init(_ state: Model.State, _ reporting: Reporting<Model>) {
    self.reporting = reporting
    last = reporting.resuming?.state ?? state
  }

  /// Whether events are of use to anybody.
  private var isTracing: Bool { reporting.trace != nil || reporting.record != nil }

  private mutating func add(_ event: @autoclosure () -> TraceEvent<Model>) {
    guard isTracing else { return }
    let event = event()
    reporting.trace?(event)
    if let line = reporting.record?(event) { recorded.append(line) }
  }

  /// The time, where anybody is told how long a turn takes.
  var now: Duration? { reporting.trace == nil ? nil : reporting.time.now }

  /// An Input is being processed.
  mutating func process(_ input: Model.Input) {
    began = now
    add(.input(input))
  }

  mutating func perform(_ action: Model.Action) {
    add(.action(action, isSent: false))
  }

  mutating func receive(_ action: Model.Action) {
    began = now
    add(.action(action, isSent: true))
  }

  func ask(for effects: [AsyncEffect<Model.Action>]) {
    guard let trace = reporting.trace else { return }
    for effect in effects { trace(.effect("\(effect)")) }
  }

  mutating func fail(_ error: SendableError) {
    began = began ?? now
    add(.error(error))
  }

  /// State as it is to be shown, where it is another than was shown last.
  mutating func change(to state: Model.State, as version: Int) -> (any RenderedState)? {
    guard state != last else { return nil }
    reporting.trace?(.state(state, from: last, version: version))
    last = state
    return reporting.render(state)
  }

  /// State as it was shown last.
  var shown: any RenderedState { reporting.render(last) }

  mutating func takeTrace() -> [UInt8] { recorded.take() }

  /// The turn that runs, if one does, is over.
  mutating func end() {
    end(since: began)
    began = nil
  }

  func end(since start: Duration?) {
    guard let start, let trace = reporting.trace else { return }
    trace(.ended(reporting.time.now - start))
  }
}
