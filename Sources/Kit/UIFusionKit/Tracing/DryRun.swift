/// A view model that does recorded actions again, apart from any engine: to see what today's code makes
/// of them.
///
/// Nothing is published, and no effect is carried out. What a view model keeps beside its State goes on
/// from action to action. Belongs to the isolation that made it.
package struct DryRun<Model: ViewModel> {
  private let turns: any Redoing<Model>

  /// Nil for the asynchronous pattern, whose `perform` waits and has effects of its own.
  package init?(_ model: Model) {
    let reporting = Reporting<Model>(
      render: { StateValue($0) },
      record: nil,
      trace: nil,
      time: .system,
      namesInputs: false,
      resuming: nil
    )
    let turns = Model.turns(of: model, reporting: reporting).taking
    guard let turns = turns as? any Redoing<Model> else { return nil }
    self.turns = turns
  }

  /// At first as the view model makes it.
  package var state: Model.State {
    get { turns.state }
    nonmutating set { turns.state = newValue }
  }

  /// Does one action: by `perform`, `reduce` or `mutate`, as its pattern has it.
  nonisolated(nonsending) package func redo(_ action: Model.Action) async {
    await turns.redo(action)
  }
}

@available(*, unavailable)
extension DryRun: Sendable {}

/// Turns whose actions may be done again.
protocol Redoing<Model>: AnyObject {
  associatedtype Model: ViewModel

  var state: Model.State { get set }

  nonisolated(nonsending) func redo(_ action: Model.Action) async
}
