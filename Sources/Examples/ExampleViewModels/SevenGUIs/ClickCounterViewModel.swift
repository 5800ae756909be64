import UIFusionKit

/// The first of the 7GUIs, Counter: a number and a button (the synchronous pattern).
package struct ClickCounterViewModel: ViewModelProtocol {
  package var state = State()

  package init() {}

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var count = 0
  }

  /// The one input that clients send.
  package enum Input: Codable, Sendable { case click }

  /// The one action that the input leads to.
  package enum Action: Codable, Sendable { case count }

  package func transform(_ input: Input) -> [Action] { [.count] }

  package mutating func perform(_ action: Action) { state.count += 1 }
}
