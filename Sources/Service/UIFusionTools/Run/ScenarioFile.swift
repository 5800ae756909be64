import FusionCommandLine
import FusionStrictJSON
import UIFusionKit

/// A file with a scenario: a step on each line, as JSON.
///
/// Lines that are empty or begin with `#` or `//` are left out.
///
/// ```
/// {"create": "shop"}
/// {"send": {"add": {"productID": "tea"}}, "as": "ada"}
/// {"expect": {"cart": [{"quantity": 1}]}, "within": 2}
/// ```
///
/// A recording is one, too: the lines that `replay --format json` and consoles write.
struct ScenarioFile: Sendable {
  let steps: [ScenarioStep]

  /// Reads the lines.
  ///
  /// - Throws: ``UsageError``, which names the line, and the column of a mistake in it.
  init(_ text: [UInt8]) throws(UsageError) {
    var steps: [ScenarioStep] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let reader = try ScenarioLine(Array(line), number: index + 1)
      guard let reader else { continue }
      if steps.isEmpty, reader.isOfRecording {
        self.steps = try Self.steps(ofRecording: text)
        return
      }
      let step = try reader.step
      if case .create = step.action {
        guard steps.isEmpty else { throw reader.fault("create", "is the first step, and no other") }
      } else if steps.isEmpty {
        throw UsageError("line \(index + 1) must create the session: {\"create\": \"VIEW-MODEL\"}")
      }
      steps.append(step)
    }
    guard !steps.isEmpty else {
      throw UsageError("the scenario has no steps; the first is {\"create\": \"VIEW-MODEL\"}")
    }
    self.steps = steps
  }

  /// The names of those who create or send.
  var people: Set<String> { Set(steps.compactMap(\.person)) }

  /// Throws if the scenario cannot be run many times at once.
  func validateForLoad() throws(UsageError) {
    var sends = false
    for step in steps {
      switch step.action {
      case .send: sends = true
      case .create(_, .some, _):
        throw UsageError("line \(step.line): under load each run has a session without a name")
      case .restart: throw UsageError("line \(step.line): no load restarts its service")
      default: break
      }
    }
    guard sends else { throw UsageError("a load needs a step that sends") }
  }

  private static func steps(ofRecording text: [UInt8]) throws(UsageError) -> [ScenarioStep] {
    let scenario: Scenario
    do throws(MemberFault) { scenario = try Scenario(text) } catch { throw UsageError("\(error)") }
    guard scenario.version == 1 else {
      throw UsageError("line 1: begins at version \(scenario.version), but a new session at 1")
    }
    let create = ScenarioStep.Action.create(
      viewModel: scenario.viewModel,
      name: nil,
      parameters: scenario.parameters.map(JSONTree.init)
    )
    var steps = [ScenarioStep(line: 1, person: scenario.identity, action: create, limit: nil)]
    for step in scenario.steps {
      for (index, cause) in step.causes.enumerated() {
        if index == step.leading { steps += step.expectation }
        guard case .input(let input, let sender) = cause else {
          throw UsageError(
            "line \(step.line): no client can send what a followed session has led to"
          )
        }
        let send = ScenarioStep.Action.send(tree(input), refusal: nil)
        steps.append(ScenarioStep(line: step.line, person: sender?.id, action: send, limit: nil))
      }
      if step.leading == step.causes.count { steps += step.expectation }
    }
    return steps
  }
}

extension Scenario.Step {
  /// The step that waits for the State; empty without one.
  fileprivate var expectation: [ScenarioStep] {
    state.map {
      [ScenarioStep(line: line, person: nil, action: .expect(.recorded($0)), limit: nil)]
    } ?? []
  }
}
