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
/// Nothing is made for a trace unless somebody looks on, or it is stored. A class, and ``Tracing`` apart
/// from what every turn does: so a turn that nobody traces looks up no generic type at run time, which
/// would cost more than the turn.
final class Reporter<Model: ViewModel> {
  private let render: @Sendable (_ state: Model.State) -> any RenderedState
  /// Nil where events are of use to nobody, as in most: what it needs takes more room than all the rest.
  private let tracing: Tracing<Model>?
  // Not checked for overlapping accesses, as in the engine: nobody else reaches it.
  @exclusivity(unchecked) private(set) var last: Model.State
  private let namesInputs: Bool
  /// What a new view model begins with, once it was asked; nil for one that is resumed, and once it has begun.
  private var first: [Model.Action]?

  /// Begins with a first State; where a view model is resumed, with the one that it goes on from.
  init(_ model: Model, _ state: Model.State, _ reporting: Reporting<Model>) {
    render = reporting.render
    first = reporting.resuming == nil ? model.started() : nil
    last = reporting.resuming?.state ?? state
    namesInputs = reporting.namesInputs
    tracing = Tracing(reporting)
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

  /// The time, where anybody is told how long a turn takes.
  var now: Duration? { tracing?.now }

  /// An Input is being processed.
  func process(_ input: Model.Input) {
    tracing?.process(input)
    if namesInputs { InputReport.current?.process(input) }
  }

  func perform(_ action: Model.Action) {
    tracing?.perform(action)
    if namesInputs { InputReport.current?.perform(action) }
  }

  func receive(_ action: Model.Action) {
    tracing?.receive(action)
  }

  func ask(for effects: [AsyncEffect<Model.Action>]) {
    tracing?.ask(for: effects)
  }

  func fail(_ error: SendableError) {
    tracing?.fail(error)
  }

  /// State as it is to be shown, where it is another than was shown last.
  ///
  /// One that cannot stand is not taken for shown, and what led to it is not stored.
  func change(to state: Model.State, as version: Int) -> (any RenderedState)? {
    guard state != last else { return nil }
    let rendered = render(state)
    guard rendered.unfit == nil else {
      _ = takeTrace()
      return rendered
    }
    tracing?.change(to: state, from: last, version)
    last = state
    return rendered
  }

  /// State as it was shown last.
  var shown: any RenderedState { render(last) }

  func takeTrace() -> [UInt8] { tracing?.takeRecorded() ?? [] }

  /// The turn that runs, if one does, is over.
  func end() {
    tracing?.end()
  }

  func end(since start: Duration?) {
    tracing?.end(since: start)
  }
}
