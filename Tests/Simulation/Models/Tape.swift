import UIFusionKit

/// Stores its numbers, in order.
struct Tape: ViewModelProtocol {
  enum Input: Codable, Sendable { case add(Int), nothing }
  enum Action: Sendable { case add(Int) }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
  }

  var state = State()
  let probe: Probe

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .nothing: []
    }
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.restored()
    return []
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .add(let number): state.items.append(number)
    }
  }
}
