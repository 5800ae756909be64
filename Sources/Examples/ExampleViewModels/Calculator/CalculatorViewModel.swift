package import UIFusionKit

/// A pocket calculator, which clears itself when a result has been left alone for five seconds (the
/// reducing pattern).
package struct CalculatorViewModel: ReducerViewModel {
  package var state = State()
  private let mostDigits = 10

  package init() {}

  private enum EffectName { case autoClear }

  /// Every Input ends with a look at the timer: whatever a user does puts off the clearing.
  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .digit(let digit): [.enter(digit), .updateTimer]
    case .operation(let operation): [.choose(operation), .updateTimer]
    case .equals: [.calculate, .updateTimer]
    case .clear: [.clear, .updateTimer]
    case .dismissAlert: [.dismissAlert, .updateTimer]
    }
  }

  /// The five seconds begin anew.
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
      // Without an operation there is no result, and nothing to clear later.
      guard state.pending != nil, calculate(in: &state) else { break }
      state.isAutoClearTimerActive = true
    case .clear:
      state = State()
    case .dismissAlert:
      state.activeAlert = nil
    case .updateTimer:
      guard state.isAutoClearTimerActive else { return [.cancel(id: EffectName.autoClear)] }
      // The same id again: the five seconds begin anew.
      return [.sleepThen(id: EffectName.autoClear, for: .seconds(5), action: .clear)]
    }
    return []
  }

  private func enter(_ digit: Int, in state: inout State) {
    // A 0 in front is no digit yet; a finished number makes room for a new one.
    let digits = state.isTyping && state.display != "0" ? state.display : ""
    guard (0...9).contains(digit), digits.count < mostDigits else { return }
    state.display = digits + "\(digit)"
    state.isTyping = true
  }

  private func choose(_ operation: Operation, in state: inout State) {
    // Left to right: 2 + 3 × makes 5 first. Chosen twice in a row, the second replaces the first.
    if state.isTyping, !calculate(in: &state) { return }
    state.pending = Pending(left: number(in: state), operation: operation)
    state.isTyping = false
  }

  /// Carries out what is pending, if anything is; false, with an alert, where there is no result.
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

  /// What is shown is what counts, as on paper: 10 ÷ 3 × 3 is 9.999999999.
  private func number(in state: State) -> Double {
    Double(state.display) ?? 0
  }
}
