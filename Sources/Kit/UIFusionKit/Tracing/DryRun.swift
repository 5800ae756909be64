/// A view model that performs recorded actions again, without an engine, to show what the current code
/// makes of them.
///
/// Nothing is published, and no effect runs. Stored properties beside State carry over from action to
/// action. Confined to the isolation that created it.
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

  /// The State: at first as the view model makes it.
  package var state: Model.State {
    get { runner.state }
    nonmutating set { runner.state = newValue }
  }

  /// Performs one action, by `perform`, `reduce` or `mutate`, whichever the pattern has.
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
