/// A view model that performs recorded actions again, without an engine, to show the results of the current
/// code.
///
/// Nothing is published, and no effect runs. Stored properties other than State keep their values between
/// actions. Confined to the isolation that created it.
package struct DryRun<Model: ViewModel> {
  private let runner: any ReplayableTurnRunner<Model>

  /// Returns nil for ``AsyncViewModel``, whose `perform` suspends and has side effects.
  package init?(_ model: Model) {
    let context = EngineContext<Model>(
      render: { StateValue($0) },
      record: nil,
      isRecorded: false,
      trace: nil,
      time: .system,
      namesInputs: false,
      resuming: nil
    )
    let runner = Model.turnRunner(of: model, in: context).runner
    guard let runner = runner as? any ReplayableTurnRunner<Model> else { return nil }
    self.runner = runner
  }

  /// The State; initially the view model's first one.
  package var state: Model.State {
    get { runner.state }
    nonmutating set { runner.state = newValue }
  }

  /// Performs one action, with `perform`, `reduce` or `mutate`, depending on the pattern.
  nonisolated(nonsending) package func redo(_ action: Model.Action) async {
    await runner.redo(action)
  }
}

@available(*, unavailable)
extension DryRun: Sendable {}

/// A turn runner whose actions can be performed again.
protocol ReplayableTurnRunner<Model>: ReportingTurnRunner {
  associatedtype Model

  nonisolated(nonsending) func redo(_ action: Model.Action) async
}
