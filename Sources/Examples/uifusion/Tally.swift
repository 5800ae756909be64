import UIFusionKit

/// The counter of the front page, which shows this file.
struct Tally: ViewModelProtocol {
  enum Input: Codable, Sendable { case increase, decrease }
  struct State: Codable, Equatable, Sendable { var value = 0 }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .increase: state.value += 1
    case .decrease: state.value -= 1
    }
  }
}
