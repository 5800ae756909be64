import Synchronization
import UIFusionKit

/// A step that a test must check: an event, and the State after it.
struct Step<Model: ViewModel>: Sendable {
  enum Kind: Sendable {
    case input(Model.Input)
    case received(Model.Action)
    case error(SendableError)
    /// A State that work in progress has set.
    case change
  }

  let kind: Kind
  /// The State after the step; nil if it did not change.
  var state: Model.State?

  func description(after before: Model.State) -> String {
    let what =
      switch kind {
      case .input(let input): "the Input \(input)"
      case .received(let action): "received \(action)"
      case .error(let error): "the error \(error)"
      case .change: "State changed"
      }
    guard let state else { return what }
    let changes = StateDifference(from: before, to: state).members.map { member in
      "\(member.path): \(member.before ?? "nothing") → \(member.after ?? "nothing")"
    }
    return "\(what) (\(changes.joined(separator: ", ")))"
  }
}

extension Step.Kind {
  var isInput: Bool { if case .input = self { true } else { false } }
  var isReceived: Bool { action != nil }
  var isError: Bool { if case .error = self { true } else { false } }
  var isChange: Bool { if case .change = self { true } else { false } }

  var action: Model.Action? {
    if case .received(let action) = self { action } else { nil }
  }
}

/// Records the events of an engine as steps, until the test checks them.
final class StepRecorder<Model: ViewModel>: Sendable {
  fileprivate struct Contents {
    var first: Model.State?
    var steps: [Step<Model>] = []
    /// Whether the next State belongs to the last step.
    var isOpen = false
  }

  private let contents = Mutex(Contents())

  func begin(_ state: Model.State) {
    contents.withLock { $0.first = state }
  }

  /// The first State of the view model.
  var first: Model.State {
    contents.withLock { contents in
      guard let first = contents.first else {
        preconditionFailure("an engine that publishes no first State")
      }
      return first
    }
  }

  func record(_ event: TraceEvent<Model>) {
    contents.withLock { contents in
      switch event {
      case .input(let input): contents.open(.input(input))
      case .action(let action, true): contents.open(.received(action))
      case .error(let error): contents.open(.error(error))
      case .state(let state, _, _):
        if !contents.isOpen { contents.open(.change) }
        contents.steps[contents.steps.count - 1].state = state
        contents.isOpen = false
      case .action(_, false), .effect, .ended: break
      }
    }
  }

  /// Removes and returns the next step, if it matches.
  func next(where matches: (Step<Model>) -> Bool) -> Step<Model>? {
    contents.withLock { contents in
      guard let first = contents.steps.first, matches(first) else { return nil }
      if contents.steps.count == 1 { contents.isOpen = false }
      return contents.steps.removeFirst()
    }
  }
}

extension StepRecorder.Contents {
  fileprivate mutating func open(_ kind: Step<Model>.Kind) {
    steps.append(Step(kind: kind))
    isOpen = true
  }
}
