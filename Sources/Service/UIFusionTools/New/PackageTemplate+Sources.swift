extension PackageTemplate {
  /// `Sources/NAME/NAMEViewModel.swift`.
  var viewModel: String {
    """
    import UIFusionKit

    /// Counts: at once, or a second later.
    struct \(name.viewModel): ReducerViewModel {
      /// What a client may ask for.
      enum Input: Codable, Sendable { case increase, increaseLater, reset }

      /// What is done about it.
      enum Action: Codable, Sendable { case increase, wait, arrive, reset }

      /// What a client sees.
      struct State: Codable, Equatable, Sendable {
        var count = 0
        var isWaiting = false
      }

      private enum EffectName { case wait }

      var state = State()
      let time: any TimeSource

      func transform(_ input: Input) -> [Action] {
        switch input {
        case .increase: [.increase]
        case .increaseLater: [.wait]
        case .reset: [.reset]
        }
      }

      func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
        switch action {
        case .increase:
          state.count += 1
        case .wait:
          state.isWaiting = true
          return [
            .runAction(id: EffectName.wait) { [time] in
              try await time.sleep(for: .seconds(1))
              return .arrive
            }
          ]
        case .arrive:
          state.count += 1
          state.isWaiting = false
        case .reset:
          state = State()
          return [.cancel(id: EffectName.wait)]
        }
        return []
      }

      /// Begins again what was waited for: effects do not survive a restart.
      func restored(_ interrupted: Interrupted) -> [Action] {
        state.isWaiting ? [.wait] : []
      }
    }

    """
  }
}
