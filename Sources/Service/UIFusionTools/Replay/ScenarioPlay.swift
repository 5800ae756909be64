import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// A scenario played with today's view model, its effects included, in real time.
struct ScenarioPlay {
  /// The line whose State did not come, and the State that stood in its place; nil where all came.
  private(set) var fault: (line: Int, expected: JSONTree, last: JSONTree?)?
  /// The number of States that came.
  private(set) var agreeing = 0

  /// The time within which a line's State has to come.
  private static let timeout = Duration.seconds(10)

  /// Plays up to the first State that does not come.
  ///
  /// States between those of the scenario may come, too. A State of the scenario is one as clients get it, or as it is
  /// stored, with its private members.
  ///
  /// - Throws: the reason why the view model cannot be made, or does not know an Input.
  init(_ scenario: Scenario, on viewModel: HostedViewModel, _ dependencies: Dependencies)
    async throws
  {
    var dependencies = dependencies
    dependencies.identity = scenario.identity
    let (states, continuation) = AsyncStream<EncodedState>.makeStream()
    let committer = PlayedStates(continuation)
    let engine = try viewModel.open(
      scenario.start(viewModel.format),
      .init(playing: committer, dependencies)
    )
    defer { engine.close() }
    if scenario.version > 1 {
      engine.prepare(.restored(Interrupted([])))
      engine.resume()
    } else if engine.beginsWithActions {
      engine.prepare(.started)
      engine.wake()
    }
    var played = states.makeAsyncIterator()
    for step in scenario.steps {
      do {
        for cause in step.causes {
          switch cause {
          case .input(let input, let sender):
            _ = engine.submit(try viewModel.read(input, 0, PlayedSender(sender)))
          case .followed(let action): engine.perform(try viewModel.actionCoding.decode(action))
          }
        }
      } catch {
        throw MemberFault("line \(step.line):", "\(error)")
      }
      guard let expected = step.state else { continue }
      let time = dependencies.time
      let timeout = Task {
        try await time.sleep(until: time.now + Self.timeout)
        continuation.finish()
      }
      defer { timeout.cancel() }
      var last: JSONTree?
      var hasCome = false
      while !hasCome, let state = await played.next() {
        let forms = [tree(state.stored), tree(state.bytes)]
        last = forms.min { expected.differences(to: $0) < expected.differences(to: $1) }
        hasCome = last.map(expected.differences) == 0
      }
      guard hasCome else {
        fault = (step.line, expected, last)
        return
      }
      agreeing += 1
    }
  }

  var text: String {
    let count = agreeing == 1 ? "1 State came" : "\(agreeing) States came"
    guard let fault else { return "\(count) as in the scenario\n" }
    let differences = fault.last.map { JSONDifference(from: fault.expected, to: $0).lines }
    let lines =
      ["line \(fault.line): this State did not come (scenario → today's)"]
      + (differences ?? ["no other State came"]).map { "  " + $0 } + ["before it \(count)"]
    return lines.joined(separator: "\n") + "\n"
  }

  var jsonLine: String {
    let counts: JSONTree = ["same": .number("\(agreeing)")]
    let result: JSONTree =
      fault.map {
        ["result": "different", "line": .number("\($0.line)"), "state": $0.last ?? .null]
      } ?? ["result": "same"]
    return result.adding(counts).text + "\n"
  }
}

extension JSONTree {
  /// Returns the number of lines that tell the difference to another State.
  fileprivate func differences(to state: JSONTree) -> Int {
    JSONDifference(from: self, to: state).lines.count
  }
}

extension Scenario {
  /// Returns the State to begin with: that of a new session, or the one of the first line.
  fileprivate func start(_ format: Int) -> HostedViewModel.Start {
    guard version > 1 else { return .new(parameters.map(GivenParameters.init)) }
    return .stored(
      parameters: parameters?.text ?? [],
      state: steps[0].state?.bytes ?? [],
      format: format,
      version: version
    )
  }

  private struct GivenParameters: Parameters {
    let value: JSONValue

    var text: [UInt8] { value.text }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value.decodeGiven(type) }
  }
}

/// The States of a view model that is stored nowhere.
private final class PlayedStates: TurnCommitter {
  let isFull = false
  private let states: AsyncStream<EncodedState>.Continuation

  init(_ states: AsyncStream<EncodedState>.Continuation) {
    self.states = states
  }

  func begin(with state: any RenderedState, version: Int) { show(state) }

  func commit(_ result: consuming TurnResult) {
    if let state = result.state { show(state) }
    result.release()
  }

  private func show(_ state: any RenderedState) {
    if let state = state as? EncodedState { states.yield(state) }
  }
}

/// The sender of a scenario's Input.
private final class PlayedSender: BatchOwner {
  let origin: InputOrigin?

  init(_ sender: Identity?) {
    origin = sender.map { InputOrigin(request: nil, trace: nil, sender: $0) }
  }

  func didProgress(to progress: InputBatch.Progress) {}
}
