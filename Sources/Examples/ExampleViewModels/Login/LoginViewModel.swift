package import UIFusionKit

/// A login in one step or two (the reducing pattern, with requests that can be called off).
package struct LoginViewModel: ReducerViewModel {
  package var state = State()
  private let time: any TimeSource

  package init(time: any TimeSource) {
    self.time = time
  }

  private enum EffectName { case request }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .emailChanged(let email): [.changeEmail(email)]
    case .passwordChanged(let password): [.changePassword(password)]
    case .submit: [.requestLogin]
    case .codeChanged(let code): [.changeCode(code)]
    case .submitCode: [.requestSecondFactor]
    case .dismiss: [.dismiss]
    }
  }

  /// A request that was cut off is not made again: password and code are gone with the process.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.isRequestInFlight ? [.cancelRequest] : []
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .changeEmail(let email):
      state.email = email
    case .changePassword(let password):
      state.password = password.wrappedValue
    case .changeCode(let code):
      state.code = code.wrappedValue
    case .requestLogin:
      guard state.step == .credentials, state.isFormValid else { break }
      let answer = answer(toEmail: state.email, password: state.password)
      return request(answer, &state)
    case .requestSecondFactor:
      guard state.step == .twoFactor else { break }
      return request(answer(toCode: state.code), &state)
    case .accepted(let next):
      state.isRequestInFlight = false
      state.step = next
    case .rejected(let reason):
      state.isRequestInFlight = false
      state.alert = reason
    case .dismiss:
      state.code = ""
      // Whoever gives up the second step is back at the first.
      if state.step == .twoFactor { state.step = .credentials }
      return reduce(state: &state, action: .cancelRequest)
    case .cancelRequest:
      state.isRequestInFlight = false
      return [.cancel(id: EffectName.request)]
    }
    return []
  }

  private func request(_ answer: Action, _ state: inout State) -> [AsyncEffect<Action>] {
    state.isRequestInFlight = true
    return [
      // One at a time: impatience does not send a second.
      .runAction(id: EffectName.request, policy: .keep) { [time] in
        try await time.sleep(for: .seconds(1))
        return answer
      }
    ]
  }

  // MARK: In place of a server

  private func answer(toEmail email: String, password: String) -> Action {
    guard password == "password" else { return .rejected("Unknown user or invalid password.") }
    return .accepted(next: email.contains("2fa") ? .twoFactor : .done)
  }

  private func answer(toCode code: String) -> Action {
    code == "1234" ? .accepted(next: .done) : .rejected("Invalid code.")
  }
}
