/// What a view model at work is given: how its States are shown, and who looks on.
public struct Reporting<Model: ViewModel> {
  let render: @Sendable (_ state: Model.State) -> any RenderedState
  let record: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
  let trace: (@Sendable (TraceEvent<Model>) -> Void)?
  let time: any TimeSource
  /// Whether there is an ``InputReport``.
  let namesInputs: Bool
  let resuming: Resumption<Model.State>?
}

@available(*, unavailable)
extension Reporting: Sendable {}

/// Knows the State that was shown last, and traces what leads to the next.
///
/// Nothing is made for a trace unless somebody looks on, or it is stored. A class, and tracing apart
/// from what every turn does: so a turn that nobody traces looks up no generic type at run time, which
/// would cost more than the turn.
final class Reporter<Model: ViewModel> {
  private let reporting: Reporting<Model>
  // Not checked for overlapping accesses, here and below, as in the engine: nobody else reaches them.
  @exclusivity(unchecked) private(set) var last: Model.State
  /// When the turn that runs began; nil between turns, and where nobody looks on.
  @exclusivity(unchecked) private var began: Duration?
  @exclusivity(unchecked) private var recorded = RecordedTrace()
  /// Whether events are of use to anybody.
  private let isTracing: Bool
  private let namesInputs: Bool
  /// What a new view model begins with, once it was asked; nil for one that is resumed, and once it has begun.
  private var first: [Model.Action]?

  /// Begins with a first State; where a view model is resumed, with the one that it goes on from.
  init(_ model: Model, _ state: Model.State, _ reporting: Reporting<Model>) {
    self.reporting = reporting
    first = reporting.resuming == nil ? model.started() : nil
    last = reporting.resuming?.state ?? state
    namesInputs = reporting.namesInputs
    isTracing = reporting.trace != nil || reporting.record != nil
  }

  /// Whether a new view model has anything to begin with.
  var begins: Bool { first?.isEmpty == false }

  /// The actions with which the view model begins, asked for once.
  func actions(of beginning: Beginning, by model: Model) -> [Model.Action] {
    switch beginning {
    case .started:
      defer { first = nil }
      return first ?? model.started()
    case .restored(let interrupted): return model.restored(interrupted: interrupted)
    }
  }

  @inline(never)
  private func add(_ event: TraceEvent<Model>) {
    reporting.trace?(event)
    if let line = reporting.record?(event) { recorded.append(line) }
  }

  /// The time, where anybody is told how long a turn takes.
  var now: Duration? { reporting.trace == nil ? nil : reporting.time.now }

  /// An Input is being processed.
  func process(_ input: Model.Input) {
    if isTracing { trace(input) }
    if namesInputs { InputReport.current?.process(input) }
  }

  @inline(never)
  private func trace(_ input: Model.Input) {
    began = now
    add(.input(input))
  }

  func perform(_ action: Model.Action) {
    if isTracing { trace(action, isSent: false) }
    if namesInputs { InputReport.current?.perform(action) }
  }

  func receive(_ action: Model.Action) {
    guard isTracing else { return }
    began = now
    trace(action, isSent: true)
  }

  @inline(never)
  private func trace(_ action: Model.Action, isSent: Bool) {
    add(.action(action, isSent: isSent))
  }

  func ask(for effects: [AsyncEffect<Model.Action>]) {
    guard let trace = reporting.trace else { return }
    for effect in effects { trace(.effect("\(effect)")) }
  }

  func fail(_ error: SendableError) {
    guard isTracing else { return }
    began = began ?? now
    add(.error(error))
  }

  /// State as it is to be shown, where it is another than was shown last.
  ///
  /// One that cannot stand is not taken for shown, and what led to it is not stored.
  func change(to state: Model.State, as version: Int) -> (any RenderedState)? {
    guard state != last else { return nil }
    let rendered = reporting.render(state)
    guard rendered.unfit == nil else {
      _ = recorded.take()
      return rendered
    }
    if isTracing { trace(state, version) }
    last = state
    return rendered
  }

  @inline(never)
  private func trace(_ state: Model.State, _ version: Int) {
    reporting.trace?(.state(state, from: last, version: version))
  }

  /// State as it was shown last.
  var shown: any RenderedState { reporting.render(last) }

  func takeTrace() -> [UInt8] { recorded.take() }

  /// The turn that runs, if one does, is over.
  func end() {
    guard isTracing else { return }
    end(since: began)
    began = nil
  }

  func end(since start: Duration?) {
    guard let start, let trace = reporting.trace else { return }
    trace(.ended(reporting.time.now - start))
  }
}
