import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The login` {
  private let login = Recorder { LoginViewModel(time: $0.time) }

  /// Returns the State that clients see, without the alert's count.
  private func brief(_ state: LoginViewModel.State) -> String {
    var parts = ["\(state.step)"]
    if state.isFormValid { parts.append("valid") }
    if state.isRequestInFlight { parts.append("in flight") }
    if let alert = state.alert { parts.append(alert) }
    return parts.joined(separator: ", ")
  }

  private func type(_ email: String, _ password: String) {
    login.send(.emailChanged(email), .passwordChanged(Secret(password)))
    _ = login.newStates()
  }

  /// Completes the first step.
  private func passFirstStep() async {
    type("2fa@example.com", "password")
    login.send(.submit)
    await login.clock.advance(by: .seconds(1))
    _ = login.newStates()
  }

  @Test func `case 28: asks for a second factor if the account has one`() async {
    login.send(.emailChanged("2fa@example.com"), .passwordChanged(Secret("password")))
    #expect(login.newStates().map(brief) == ["credentials", "credentials, valid"])
    login.send(.submit)
    #expect(login.newStates().map(brief) == ["credentials, valid, in flight"])
    await login.clock.advance(by: .milliseconds(999))
    #expect(login.newStates() == [])
    await login.clock.advance(by: .milliseconds(1))
    #expect(login.newStates().map(brief) == ["twoFactor, valid"])
    login.send(.codeChanged(Secret("1234")), .submitCode)
    #expect(login.newStates().map(brief).last == "twoFactor, valid, in flight")
    await login.clock.advance(by: .seconds(1))
    #expect(login.newStates().map(brief) == ["done, valid"])
  }

  @Test func `case 28: ignores the result of a request that was dismissed in flight`() async {
    type("2fa@example.com", "password")
    login.send(.submit)
    await login.clock.advance(by: .milliseconds(500))
    login.send(.dismiss)
    #expect(
      login.newStates().map(brief) == ["credentials, valid, in flight", "credentials, valid"]
    )
    await login.clock.advance(by: .seconds(10))
    #expect(login.newStates() == [])
    #expect(login.isSettled)
  }

  @Test func `case 28: can also be dismissed during the second step`() async {
    await passFirstStep()
    login.send(.codeChanged(Secret("1234")), .submitCode)
    await login.clock.advance(by: .milliseconds(500))
    _ = login.newStates()
    login.send(.dismiss)
    await login.clock.advance(by: .seconds(10))
    #expect(login.newStates().map(brief) == ["credentials, valid"])
  }

  @Test(arguments: [("a@example.com", "wrong"), ("2fa@example.com", "Password")])
  func `case 28: alerts each time on a wrong login`(email: String, password: String) async {
    type(email, password)
    for count in 1...2 {
      login.send(.submit)
      await login.clock.advance(by: .seconds(1))
      let last = login.newStates().last
      #expect(last.map(brief) == "credentials, valid, Unknown user or invalid password.")
      #expect(last?.$alert.pulse == count)
    }
  }

  @Test func `needs only one factor if the account has no second one`() async {
    type("a@example.com", "password")
    login.send(.submit)
    await login.clock.advance(by: .seconds(1))
    #expect(login.newStates().map(brief).last == "done, valid")
  }

  @Test(arguments: ["", "12345", "１２３４"])
  func `alerts on a wrong code, which may be corrected`(code: String) async {
    await passFirstStep()
    login.send(.codeChanged(Secret(code)), .submitCode)
    await login.clock.advance(by: .seconds(1))
    #expect(login.newStates().map(brief).last == "twoFactor, valid, Invalid code.")
    login.send(.codeChanged(Secret("1234")), .submitCode)
    await login.clock.advance(by: .seconds(1))
    #expect(login.state.step == .done)
  }

  @Test(arguments: [("", ""), ("a", "password"), ("a@example.com", "")])
  func `does not submit an invalid form`(email: String, password: String) async {
    type(email, password)
    #expect(!login.state.isFormValid)
    login.send(.submit)
    await login.clock.advance(by: .seconds(10))
    #expect(login.newStates() == [])
  }

  @Test func `does not submit twice while a request is in flight`() async {
    type("a@example.com", "wrong")
    login.send(.submit)
    await login.clock.advance(by: .milliseconds(500))
    login.send(.submit)
    await login.clock.advance(by: .milliseconds(500))
    #expect(login.newStates().map(\.$alert.pulse) == [0, 1])
    await login.clock.advance(by: .seconds(10))
    #expect(login.newStates() == [])
  }

  @Test func `ignores a code before it asks for one`() async {
    login.send(.codeChanged(Secret("1234")), .submitCode)
    await login.clock.advance(by: .seconds(10))
    #expect(login.state.step == .credentials)
    #expect(login.newStates().allSatisfy { !$0.isRequestInFlight })
  }

  @Test func `never shows the password or the code`() async throws {
    login.send(.passwordChanged(Secret("swordfish")), .codeChanged(Secret("4321")))
    for text in login.newActions().map({ "\($0)" }) + (try login.newSnapshots()) {
      #expect(!text.contains("swordfish") && !text.contains("4321"))
    }
  }

  @Test func `asks for the password again after a restart`() async throws {
    type("a@example.com", "password")
    login.send(.submit)
    let state = try restored(login.state)
    #expect(state.email == "a@example.com")
    #expect(state.password == "")
    // The request is lost; it can be sent again.
    let restarted = Recorder { dependencies in
      var model = LoginViewModel(time: dependencies.time)
      model.state = state
      return model
    }
    restarted.send(.passwordChanged(Secret("password")), .submit)
    await restarted.clock.advance(by: .seconds(1))
    #expect(brief(restarted.state) == "done, valid")
  }

  @Test func `has the JSON that its table documents`() throws {
    let alert = #""alert":{"value":null,"pulse":0}"#
    #expect(
      try json(LoginViewModel.State())
        == #"{"email":"","password":"","isFormValid":false,"isRequestInFlight":false,"#
        + #""step":"credentials",\#(alert)}"#
    )
    login.send(.emailChanged("a@b"), .passwordChanged(Secret("p")), .codeChanged(Secret("1")))
    #expect(
      try json(login.state)
        == #"{"email":"a@b","password":"••••","isFormValid":true,"isRequestInFlight":false,"#
        + #""step":"credentials",\#(alert)}"#
    )
    #expect(
      try inputs(
        #"{"emailChanged":"a@b"}"#,
        #"{"passwordChanged":"p"}"#,
        #""submit""#,
        #"{"codeChanged":"1234"}"#,
        #""submitCode""#,
        #""dismiss""#
      ) == [
        LoginViewModel.Input.emailChanged("a@b"), .passwordChanged(Secret("p")), .submit,
        .codeChanged(Secret("1234")), .submitCode, .dismiss,
      ]
    )
  }
}
