/// Where a view model at work reports: each State to whoever follows, and events to who looks on.
public struct Reporting<Model: ViewModel> {
  let published: @Sendable (_ state: Model.State, _ version: Int) -> Void
  let trace: (@Sendable (TraceEvent<Model>) -> Void)?
  let time: any TimeSource
  let resuming: Resumption<Model.State>?
}

@available(*, unavailable)
extension Reporting: Sendable {}

/// Publishes a view model's States, and traces what leads to them.
///
/// Nothing is made for a trace unless somebody looks on.
struct Reporter<Model: ViewModel> {
  private let reporting: Reporting<Model>
  private var last: Model.State
  /// When the turn that is being taken began; nil between turns, and where nobody looks on.
  private var began: Duration?

  /// Publishes the first State as version 1; where a view model is resumed, the State and version that
  /// it goes on from.
  init(_ state: Model.State, _ reporting: Reporting<Model>) {
    self.reporting = reporting
    last = reporting.resuming?.state ?? state
    reporting.published(last, reporting.resuming?.version ?? 1)
  }

  /// An Input is being taken; returns when, for a turn that may be one of several.
  @discardableResult
  mutating func took(_ input: Model.Input) -> Duration? {
    guard let trace = reporting.trace else { return nil }
    began = reporting.time.now
    trace(.input(input))
    return began
  }

  func doing(_ action: Model.Action) {
    reporting.trace?(.action(action, isSent: false))
  }

  mutating func received(_ action: Model.Action) {
    guard let trace = reporting.trace else { return }
    began = reporting.time.now
    trace(.action(action, isSent: true))
  }

  func asked(for effects: [AsyncEffect<Model.Action>]) {
    guard let trace = reporting.trace else { return }
    for effect in effects { trace(.effect("\(effect)")) }
  }

  mutating func failed(_ error: SendableError) {
    guard let trace = reporting.trace else { return }
    began = began ?? reporting.time.now
    trace(.error(error))
  }

  mutating func publish(
    _ state: Model.State,
    as version: Int,
    announcing: () -> Void
  ) -> Bool {
    guard state != last else { return false }
    announcing()
    reporting.trace?(.state(state, from: last, version: version))
    last = state
    reporting.published(state, version)
    return true
  }

  /// The turn that is being taken, if one is, is over.
  mutating func ended() {
    ended(since: began)
    began = nil
  }

  func ended(since start: Duration?) {
    guard let start, let trace = reporting.trace else { return }
    trace(.ended(reporting.time.now - start))
  }
}
