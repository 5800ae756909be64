package import UIFusionKit

/// A login in one step or two (the reducing pattern, with requests that can be cancelled).
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

  /// Cancels a request that was cut off: password and code are lost with the process.
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
      // Cancelling the second step returns to the first.
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
      // Keeps a running request, so that a second click sends nothing.
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

extension LoginViewModel {
  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var email = "" {
      didSet { validate() }
    }
    /// The password, which is neither sent nor stored: after a restart the user types it again.
    @Secret package var password = "" {
      didSet { validate() }
    }
    package private(set) var isFormValid = false
    package var isRequestInFlight = false
    package var step = Step.credentials
    /// A message, as a pulse: clients show it at each assignment.
    @Pulse package var alert: String?

    // Not coded: neither sent nor stored, like the password.
    @Secret var code = ""

    private enum CodingKeys: CodingKey {
      case email, password, isFormValid, isRequestInFlight, step, alert
    }

    package init() {}

    /// Reads a stored State, which has no password, so that its form is not valid.
    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      email = try container.decode(String.self, forKey: .email)
      _password = try container.decode(Secret<String>.self, forKey: .password)
      isFormValid = try container.decode(Bool.self, forKey: .isFormValid)
      isRequestInFlight = try container.decode(Bool.self, forKey: .isRequestInFlight)
      step = try container.decode(Step.self, forKey: .step)
      _alert = try container.decode(Pulse<String?>.self, forKey: .alert)
      validate()
    }

    private mutating func validate() {
      isFormValid = email.contains("@") && !password.isEmpty
    }
  }

  /// The steps of a login.
  package enum Step: String, Codable, Sendable {
    case credentials, twoFactor, done
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case emailChanged(String)
    case passwordChanged(Secret<String>)
    case submit
    case codeChanged(Secret<String>)
    case submitCode
    case dismiss
  }

  /// The actions that inputs lead to; since actions are traced, they keep secrets secret.
  package enum Action: Codable, Equatable, Sendable {
    case changeEmail(String)
    case changePassword(Secret<String>)
    case changeCode(Secret<String>)
    case requestLogin, requestSecondFactor
    case accepted(next: Step)
    case rejected(String)
    case dismiss, cancelRequest
  }
}
