/// A view model that says what it is meant to do: what planning, design, development and QA share.
///
/// Types tell which Inputs there are and what State looks like. A plan adds what they cannot tell:
/// for each Input 🟩 what it is there for, the Actions ✴️ that follow, and what those do to the members
/// of State 🟦. A host shows it as one page; `expectPlan` of UIFusionTesting runs every Input of it
/// and fails where a plan and its view model differ.
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
  /// Every Input, as often as there is something different to say about it.
  static var plan: [PlannedInput<Self>] { get }
}

/// An Input of a plan: one situation, and what is to happen then.
public struct PlannedInput<Model: ViewModel>: Sendable {
  /// The Input itself, with values that may stand for any others.
  public let example: Model.Input

  /// When it is sent, in one sentence.
  public let sentence: String

  /// The Inputs that lead to the situation, from the first State.
  public let before: [Model.Input]

  /// How long after those it is sent; nil is once all is quiet.
  public let delay: Duration?

  /// What is done about it, in order.
  public let actions: [PlannedAction<Model>]

  /// Plans an Input.
  ///
  /// - Parameters:
  ///   - example: the Input, such as a client may send.
  ///   - sentence: when it is sent.
  ///   - before: Inputs that make a difference visible: a reset shows once something was counted.
  ///   - delay: how long after those it is sent, where what they started is to be under way still: a
  ///     request to be called off, a timer to be stopped. Without one, it is sent once all is quiet.
  ///   - actions: all that are done, those that effects send included.
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

/// An Action of a plan, and what it does to State.
public struct PlannedAction<Model: ViewModel>: Sendable {
  /// The Action itself; only its name counts, not its values.
  public let action: Model.Action

  /// The members of State that it changes, as they are called in JSON, each with what becomes of it.
  public let changes: KeyValuePairs<String, String>

  /// Plans an Action.
  public static func action(
    _ action: Model.Action,
    _ changes: KeyValuePairs<String, String> = [:]
  ) -> Self {
    Self(action: action, changes: changes)
  }

  /// The Action's name.
  public var name: String { caseName(of: action) }
}

/// How an enum's case is called, without its values; any other value as Swift prints its type.
///
/// A type that shows itself counts as any other, too: a label of its own making may hold a value.
package func caseName(of value: some Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum, !(value is any CustomReflectable) else {
    return "\(type(of: value))"
  }
  return mirror.children.first?.label ?? "\(value)"
}
