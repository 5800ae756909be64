/// A view model with a plan of its behaviour that planning, design, development and QA share.
///
/// Types tell which Inputs exist and what State looks like. A plan adds what types cannot tell: the
/// purpose of each Input 🟩, the Actions ✴️ that follow, and the members of State 🟦 that they change.
/// A host shows the plan as one page. `expectPlan` of UIFusionTesting runs every planned Input and fails
/// where plan and view model differ.
///
/// ```swift
/// extension CounterViewModel: Planned {
///   static let plan: [PlannedInput<CounterViewModel>] = [
///     .input(
///       .reset,
///       "reset 버튼 선택",
///       after: [.increase],
///       [.action(.resetValue, ["value": "0으로 초기화됩니다", "isReset": "true로 설정됩니다"])]
///     )
///   ]
/// }
/// ```
public protocol Planned: ViewModel {
  /// The plan: each Input at least once, and again for each further situation.
  static var plan: [PlannedInput<Self>] { get }
}

/// An entry of a plan: an Input in one situation, and the expected actions.
public struct PlannedInput<Model: ViewModel>: Sendable {
  /// The Input, with example values.
  public let example: Model.Input

  /// A sentence that says when the Input is sent.
  public let sentence: String

  /// The Inputs that lead from the first State to the situation.
  public let before: [Model.Input]

  /// The delay between those Inputs and this one; nil waits until nothing is running.
  public let delay: Duration?

  /// The expected actions, in order.
  public let actions: [PlannedAction<Model>]

  /// Returns the plan of an Input.
  ///
  /// - Parameters:
  ///   - example: the Input, with example values.
  ///   - sentence: a sentence that says when the Input is sent.
  ///   - before: Inputs to send first, so that the effect becomes visible: a reset needs a count above zero.
  ///   - delay: the delay after `before`, for an Input that acts on running work, such as a cancellation or
  ///     the stop of a timer. Without a delay, the Input is sent once nothing is running.
  ///   - actions: all expected actions, including those that effects send.
  /// - Returns: the entry.
  public static func input(
    _ example: Model.Input,
    _ sentence: String,
    after before: [Model.Input] = [],
    delay: Duration? = nil,
    _ actions: [PlannedAction<Model>]
  ) -> Self {
    Self(example: example, sentence: sentence, before: before, delay: delay, actions: actions)
  }
}

/// An Action of a plan, and the members of State that it changes.
public struct PlannedAction<Model: ViewModel>: Sendable {
  /// The Action; only its name counts, not its values.
  public let action: Model.Action

  /// The changes: the name of each changed member of State in JSON, with a sentence about its new value.
  public let changes: KeyValuePairs<String, String>

  /// Returns the plan of an Action.
  public static func action(
    _ action: Model.Action,
    _ changes: KeyValuePairs<String, String> = [:]
  ) -> Self {
    Self(action: action, changes: changes)
  }

  /// The name of the Action.
  public var name: String { caseName(of: action) }
}
