import Testing
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The calculator` {
  private typealias State = CalculatorViewModel.State
  private let calculator = Recorder { _ in CalculatorViewModel() }

  /// Presses several keys one after another, and waits until all are processed.
  private func press(_ keys: String) async {
    for key in keys { calculator.send(input(key)) }
    // A replaced timer ends in the pool, which then processes the keys that are pressed meanwhile.
    await calculator.clock.idle()
  }

  private func input(_ key: Character) -> CalculatorViewModel.Input {
    switch key {
    case "+": .operation(.add)
    case "-": .operation(.subtract)
    case "×": .operation(.multiply)
    case "÷": .operation(.divide)
    case "=": .equals
    case "C": .clear
    default: .digit(key.wholeNumberValue ?? -1)
    }
  }

  @Test func `case 10: shows a result, and clears itself after five idle seconds`() async {
    await press("12+30=")
    #expect(calculator.newStates().map(\.display) == ["1", "12", "12", "3", "30", "42"])
    #expect(calculator.state == result("42"))
    await calculator.clock.advance(by: .milliseconds(4_999))
    #expect(calculator.newStates() == [])
    await calculator.clock.advance(by: .milliseconds(1))
    #expect(calculator.newStates() == [State()])
    #expect(calculator.isSettled)
  }

  @Test(arguments: [
    ("case 11: digits side by side", "123", "123"),
    ("case 11: ten digits", "12345678901", "1234567890"),
    ("no zeros in front", "007", "7"),
    ("a single zero", "00", "0"),
    ("left to right, so far", "2+3×", "5"),
    ("the last operation counts", "2+×3=", "6"),
    ("the number shown on both sides", "5+=", "10"),
    ("a result is gone on with", "2+3=×4=", "20"),
    ("a result makes room", "2+3=7", "7"),
    ("equals without an operation", "12=", "12"),
    ("a negative number", "3-5=", "-2"),
    ("a fraction", "5÷2=", "2.5"),
    ("ten significant digits", "10÷3=", "3.333333333"),
    ("the number shown is what counts", "10÷3×3=", "9.999999999"),
    ("rounded away", "3÷10-2÷10=", "-0.17"),
    ("no negative zero", "0-5×0=", "0"),
    ("more digits than can be typed", "9999999999+1=", "10000000000"),
    ("too many to show", "9999999999×9999999999=", "9.999999998e+19"),
    ("very small", "1÷100000=", "1e-05"),
    ("no digit", "1x2", "12"),
    ("cleared", "12+30C4=", "4"),
  ])
  func `shows the expected display for a sequence of keys`(
    why: String,
    keys: String,
    display: String
  ) async {
    await press(keys)
    #expect(calculator.state.display == display, "\(why)")
    #expect(calculator.state.activeAlert == nil)
  }

  @Test func `case 12: alerts on a division by zero`() async {
    await press("8÷0=")
    #expect(calculator.newStates().last == State(activeAlert: "0으로 나눌 수 없습니다"))
    await calculator.clock.advance(by: .seconds(10))
    #expect(calculator.newStates() == [])
    calculator.send(.dismissAlert)
    #expect(calculator.newStates() == [State()])
  }

  @Test(arguments: ["÷0=", "÷0+"])
  func `case 12: a division by zero stops the timer of the previous result`(keys: String) async {
    await press("6÷2=" + keys)
    _ = calculator.newStates()
    #expect(calculator.state == State(activeAlert: "0으로 나눌 수 없습니다"))
    await calculator.clock.advance(by: .seconds(10))
    #expect(calculator.newStates() == [])
  }

  @Test func `case 13: evaluates from left to right`() async {
    await press("2+3×4=")
    #expect(calculator.state == result("20"))
  }

  @Test func `alerts if a result is too large`() async {
    await press("9999999999")
    for _ in 0..<6 { await press("×=") }
    #expect(calculator.state.activeAlert == "결과가 너무 큽니다")
  }

  @Test(arguments: [
    CalculatorViewModel.Input.digit(7), .operation(.add), .equals, .dismissAlert,
  ])
  func `clears later after each Input that follows a result`(
    input: CalculatorViewModel.Input
  ) async {
    await press("1+1=")
    await calculator.clock.advance(by: .seconds(4))
    calculator.send(input)
    _ = calculator.newStates()
    await calculator.clock.advance(by: .milliseconds(4_999))
    #expect(calculator.newStates() == [])
    await calculator.clock.advance(by: .milliseconds(1))
    #expect(calculator.newStates() == [State()])
  }

  @Test(arguments: ["12", "12+30", "12=", "1+1=C"])
  func `does not clear without a result`(keys: String) async {
    await press(keys)
    _ = calculator.newStates()
    await calculator.clock.advance(by: .seconds(10))
    #expect(calculator.newStates() == [])
    #expect(calculator.clock.sleepers == 0)
  }

  @Test func `continues with the displayed number after a restart`() async throws {
    await press("12+30")
    let state = try restored(calculator.state)
    let restarted = Recorder { _ in
      var model = CalculatorViewModel()
      model.state = state
      return model
    }
    restarted.send(.operation(.multiply), .digit(2), .equals)
    #expect(restarted.newStates().map(\.display) == ["30", "2", "60"])
  }

  @Test func `has the JSON that its table documents`() async throws {
    #expect(
      try json(State()) == #"{"display":"0","activeAlert":null,"isAutoClearTimerActive":false}"#
    )
    await press("12+30")
    #expect(
      try json(calculator.state)
        == #"{"display":"30","activeAlert":null,"isAutoClearTimerActive":false}"#
    )
    #expect(try restored(result("42")) == result("42"))
    #expect(
      try inputs(
        #"{"digit":7}"#,
        #"{"operation":"add"}"#,
        #"{"operation":"subtract"}"#,
        #"{"operation":"multiply"}"#,
        #"{"operation":"divide"}"#,
        #""equals""#,
        #""clear""#,
        #""dismissAlert""#
      ) == [
        CalculatorViewModel.Input.digit(7), .operation(.add), .operation(.subtract),
        .operation(.multiply), .operation(.divide), .equals, .clear, .dismissAlert,
      ]
    )
  }

  private func result(_ display: String) -> State {
    State(display: display, isAutoClearTimerActive: true)
  }
}
