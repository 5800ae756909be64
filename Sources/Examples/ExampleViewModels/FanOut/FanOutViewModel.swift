import UIFusionKit

/// An Input that leads to five actions (the synchronous pattern).
///
/// The five make one new version of State, so that no client sees a part of them.
package struct FanOutViewModel: ViewModelProtocol {
  package var state = State()

  package init() {}

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var count = 0
    /// The colour in CSS notation: `#rrggbb`.
    package var color = FanOutViewModel.colors[0]
    package var buttonText = ""
    package var labelText = ""
    package var frame = Frame.small
  }

  /// A size in points.
  package struct Frame: Codable, Equatable, Sendable {
    package static let small = Frame(width: 180, height: 50)
    package static let large = Frame(width: 200, height: 80)

    package let width: Int
    package let height: Int
  }

  /// The colours in their order.
  package static let colors = ["#0a84ff", "#30a14e", "#e36209", "#8250df", "#cf222e"]

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case buttonTap
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Sendable {
    case countTap, changeColor, changeButtonText, changeLabelText, changeFrame
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    // `countTap` comes first, since the others depend on the count.
    case .buttonTap: [.countTap, .changeColor, .changeButtonText, .changeLabelText, .changeFrame]
    }
  }

  package mutating func perform(_ action: Action) {
    switch action {
    case .countTap: state.count += 1
    case .changeColor: state.color = Self.colors[state.count % Self.colors.count]
    case .changeButtonText: state.buttonText = "Button Tapped: \(state.count)"
    case .changeLabelText: state.labelText = "Button tapped \(state.count)"
    case .changeFrame: state.frame = state.count.isMultiple(of: 2) ? .small : .large
    }
  }
}
