package import UIFusionKit

/// A pocket calculator, which clears itself five seconds after a result (the reducing pattern).
package struct CalculatorViewModel: ReducerViewModel {
  package var state = State()
  private let mostDigits = 10

  package init() {}

  private enum EffectName { case autoClear }

  /// Returns an Input's actions; `updateTimer` comes last, so that each Input delays the clearing.
  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .digit(let digit): [.enter(digit), .updateTimer]
    case .operation(let operation): [.choose(operation), .updateTimer]
    case .equals: [.calculate, .updateTimer]
    case .clear: [.clear, .updateTimer]
    case .dismissAlert: [.dismissAlert, .updateTimer]
    }
  }

  /// Restarts the five seconds.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.isAutoClearTimerActive ? [.updateTimer] : []
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .enter(let digit):
      enter(digit, in: &state)
    case .choose(let operation):
      choose(operation, in: &state)
    case .calculate:
      // Without an operation there is no result to clear later.
      guard state.pending != nil, calculate(in: &state) else { break }
      state.isAutoClearTimerActive = true
    case .clear:
      state = State()
    case .dismissAlert:
      state.activeAlert = nil
    case .updateTimer:
      guard state.isAutoClearTimerActive else { return [.cancel(id: EffectName.autoClear)] }
      // The same id replaces the timer, which restarts the five seconds.
      return [.sleepThen(id: EffectName.autoClear, for: .seconds(5), action: .clear)]
    }
    return []
  }

  private func enter(_ digit: Int, in state: inout State) {
    // A leading 0 is replaced, and a finished number makes room for a new one.
    let digits = state.isTyping && state.display != "0" ? state.display : ""
    guard (0...9).contains(digit), digits.count < mostDigits else { return }
    state.display = digits + "\(digit)"
    state.isTyping = true
  }

  private func choose(_ operation: Operation, in state: inout State) {
    // Left to right: `2 + 3 ×` shows 5 first. A second operation in a row replaces the first.
    if state.isTyping, !calculate(in: &state) { return }
    state.pending = Pending(left: number(in: state), operation: operation)
    state.isTyping = false
  }

  /// Carries out a pending operation; returns false, with an alert, if that fails.
  private func calculate(in state: inout State) -> Bool {
    guard let pending = state.pending else { return true }
    do {
      let result = try pending.operation.result(of: pending.left, number(in: state))
      state.display = Self.text(of: result)
      state.pending = nil
      state.isTyping = false
      return true
    } catch {
      state = State(activeAlert: error.rawValue)
      return false
    }
  }

  /// Returns the number on the display, digits beyond it being lost: 10 ÷ 3 × 3 is 9.999999999.
  private func number(in state: State) -> Double {
    Double(state.display) ?? 0
  }
}
