/// Tracks the State that was last shown, and reports the events that lead to the next one.
///
/// Builds no trace unless someone observes or stores it. Separate from ``Tracer``, so that a turn that is not
/// traced looks up no generic type at run time, which would cost more than the turn.
final class Reporter<Model: ViewModel> {
  let render: @Sendable (_ state: Model.State) -> any RenderedState
  // Not checked for overlapping accesses, as in the engine: the engine has exclusive access to them.
  /// The receiver of events; nil until needed, which is rare, since it is larger than everything else here.
  @exclusivity(unchecked) private(set) var tracer: Tracer<Model>?
  /// The State that was shown last.
  @exclusivity(unchecked) private(set) var last: Model.State
  private let namesInputs: Bool
  /// Converts events that are recorded for watchers only.
  private let recordForWatchers: (@Sendable (TraceEvent<Model>) -> [UInt8]?)?
  /// The actions of `started`; nil for a view model that was restored or has begun.
  private var first: [Model.Action]?

  /// Creates a reporter that treats a State as shown: the first one, or the one to resume from.
  init(_ model: Model, _ state: Model.State, _ context: EngineContext<Model>) {
    render = context.render
    first = context.resuming == nil ? model.started() : nil
    last = context.resuming?.state ?? state
    namesInputs = context.namesInputs
    recordForWatchers = context.isRecorded ? nil : context.record
    tracer = context.isRecorded || context.trace != nil ? Tracer(context) : nil
  }

  /// Starts or stops recording events for watchers, unless they are recorded anyway.
  func setWatched(_ isWatched: Bool) {
    guard let recordForWatchers else { return }
    if isWatched {
      tracer = tracer ?? Tracer()
      tracer?.record = recordForWatchers
    } else {
      tracer?.record = nil
      if tracer?.isOfNoUse == true { tracer = nil }
    }
  }

  /// Whether a new view model begins with actions.
  var beginsWithActions: Bool { first?.isEmpty == false }

  /// Returns the actions that the view model begins with; asks the view model only once.
  func actions(of launch: Launch, by model: Model) -> [Model.Action] {
    switch launch {
    case .started:
      defer { first = nil }
      return first ?? model.started()
    case .restored(let interrupted): return model.restored(interrupted: interrupted)
    }
  }

  /// Reports that an Input is about to be processed.
  func process(_ input: Model.Input) {
    tracer?.process(input)
    if namesInputs { InputReport.current?.process(input) }
  }

  /// Reports that an action is about to be performed.
  func perform(_ action: Model.Action) {
    tracer?.perform(action)
    if namesInputs { InputReport.current?.perform(action) }
  }

  /// Renders State if it differs from the last shown one; otherwise returns nil.
  ///
  /// What is rendered decides, since equal States may have different forms. Both are rendered only if neither `==` nor
  /// their bits tell. An invalid State does not count as shown, and the trace of its turn is dropped.
  func change(to state: Model.State, as version: Int) -> (any RenderedState)? {
    let isEqual = state == last
    if isEqual, PartComparison.haveSameBits(state, last) { return nil }
    let shown = isEqual ? render(last) : nil
    let rendered = render(state)
    guard rendered.invalid == nil else {
      _ = tracer?.takeRecorded()
      return rendered
    }
    if let shown, rendered.isSame(as: shown) {
      last = state
      return nil
    }
    tracer?.change(to: state, from: last, version)
    last = state
    return rendered
  }
}

/// A turn runner that compares and reports State through a ``Reporter``; true of all patterns.
protocol ReportingTurnRunner: TurnRunner {
  associatedtype Model: ViewModel

  var model: Model { get }
  var reporter: Reporter<Model> { get }
  var state: Model.State { get set }
}

extension ReportingTurnRunner {
  var beginsWithActions: Bool { reporter.beginsWithActions }

  var shown: any RenderedState { reporter.render(reporter.last) }

  func rollBack() { state = reporter.last }

  func denial(of batch: InputBatch, at index: Int) -> String? {
    guard let rule = model as? any AccessControlled else { return nil }
    return type(of: rule).denial(of: batch, at: index, in: state)
  }

  func takeTrace() -> [UInt8] { reporter.tracer?.takeRecorded() ?? [] }

  func setWatched(_ isWatched: Bool) { reporter.setWatched(isWatched) }

  func takeUnseen() -> [UInt8] { reporter.tracer?.takeUnseen() ?? [] }

  func end() { (model as? any SessionEnding)?.sessionEnded() }

  var following: [AnyFollowing] {
    (model as? any SessionFollowing).map { $0.erasedFollowing } ?? []
  }
}

extension AccessControlled {
  fileprivate static func denial(
    of batch: InputBatch,
    at index: Int,
    in state: any Sendable
  ) -> String? {
    guard let inputs = batch.inputs(of: Input.self), let state = state as? State else { return nil }
    let answer = InputOrigin.within(batch.origin) {
      access(batch.origin?.sender, sending: inputs[index], in: state)
    }
    if case .denied(let reason) = answer { return reason }
    return nil
  }
}

extension SessionFollowing {
  fileprivate var erasedFollowing: [AnyFollowing] { following.map(\.erased) }
}
