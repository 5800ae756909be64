package import UIFusionKit

extension LoginViewModel {
  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    package var email = "" {
      didSet { validate() }
    }
    /// Leaves the program for nobody, and is not stored: after a restart it has to be typed again.
    @Secret package var password = "" {
      didSet { validate() }
    }
    package private(set) var isFormValid = false
    package var isRequestInFlight = false
    package var step = Step.credentials
    /// An event: the same words are shown each time that they are assigned.
    @Pulse package var alert: String?

    // A client knows what it has typed. Neither sent nor stored, like the password.
    @Secret var code = ""

    private enum CodingKeys: CodingKey {
      case email, password, isFormValid, isRequestInFlight, step, alert
    }

    package init() {}

    /// Reads a State that was written, without its password: so no form is valid.
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

  /// How far one has come.
  package enum Step: String, Codable, Sendable {
    case credentials, twoFactor, done
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case emailChanged(String)
    case passwordChanged(Secret<String>)
    case submit
    case codeChanged(Secret<String>)
    case submitCode
    case dismiss
  }

  /// What is done about it; actions are traced, so here, too, a secret stays secret.
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
