import UIFusionKit

/// A random program: a view model as tables, and the operations on it.
///
/// Inputs, actions and errors are numbers, times are nanoseconds.
struct Program: Sendable {
  /// The actions that each Input stands for.
  var inputs: [[Int]] = []
  /// The effects that each action starts.
  ///
  /// An action's effects only send actions of higher numbers, so that every chain ends, except for timers.
  var reactions: [[Tree]] = []
  /// The actions that handle each error.
  var answers: [[Int]] = []
  var operations: [Operation] = []

  enum Operation: Sendable {
    /// Submits Inputs as one batch.
    case send([Int])
    case advance(Int)
    /// Cancels one of the batches.
    case cancel(Int)
  }
}

/// An effect as data.
indirect enum Tree: Sendable {
  case none
  case action(Int)
  case run(Script)
  case runAction(Script)
  case runCatchingError(Script, errorAction: Int)
  case cancel(Int)
  case merge([Tree])
  case concurrent([Tree])
  case sleepThen(id: Int?, Int, action: Int)
  case timer(id: Int, every: Int, EffectPolicy, action: Int)
  case debounce(id: Int, Int, Tree)
  case throttle(id: Int, Int, latest: Bool, Tree)

  /// The steps of a `run`.
  struct Script: Sendable {
    var id: Int?
    var policy = EffectPolicy.replace
    var isBackground = false
    /// Whether it goes on sleeping, sending and throwing after it was cancelled.
    var ignoresCancellation = false
    var steps: [Step]
  }

  enum Step: Sendable {
    case send(Int)
    case sleep(Int)
    case fail(Int)
    /// Throws `CancellationError`, which counts as no failure.
    case quit
  }
}

// MARK: - Description

extension Program: CustomStringConvertible {
  var description: String {
    var lines: [String] = []
    for (number, actions) in inputs.enumerated() { lines.append("input \(number): \(actions)") }
    for (number, effects) in reactions.enumerated() where !effects.isEmpty {
      lines.append("action \(number): \(effects)")
    }
    for (number, actions) in answers.enumerated() where !actions.isEmpty {
      lines.append("error \(number): \(actions)")
    }
    lines += operations.map { "\($0)" }
    return lines.joined(separator: "\n")
  }
}

extension Tree: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "none"
    case .action(let action): "action(\(action))"
    case .run(let script): "run(\(script))"
    case .runAction(let script): "runAction(\(script))"
    case .runCatchingError(let script, let action): "runCatchingError(\(script), else \(action))"
    case .cancel(let id): "cancel(\(id))"
    case .merge(let trees): "merge(\(trees))"
    case .concurrent(let trees): "concurrent(\(trees))"
    case .sleepThen(let id, let time, let action):
      "sleepThen(\(id.map { "id \($0), " } ?? "")\(time), \(action))"
    case .timer(let id, let time, let policy, let action):
      "timer(id \(id), every \(time), \(policy), \(action))"
    case .debounce(let id, let time, let tree): "debounce(id \(id), \(time), \(tree))"
    case .throttle(let id, let time, let latest, let tree):
      "throttle(id \(id), \(time), latest \(latest), \(tree))"
    }
  }
}

extension Tree.Script: CustomStringConvertible {
  var description: String {
    let words = [
      id.map { "id \($0), \(policy)" },
      isBackground ? "background" : nil,
      ignoresCancellation ? "ignoring cancellation" : nil,
      "\(steps)",
    ]
    return words.compactMap(\.self).joined(separator: ", ")
  }
}

extension Tree.Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .send(let action): "send \(action)"
    case .sleep(let time): "sleep \(time)"
    case .fail(let error): "fail \(error)"
    case .quit: "quit"
    }
  }
}
