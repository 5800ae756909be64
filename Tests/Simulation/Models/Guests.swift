import UIFusionKit

/// Keeps a list of the visitors that are present.
struct Guests: ViewModelProtocol, PresenceObserving {
  enum Input: Codable, Sendable { case presence(PresenceChange) }
  typealias Action = Input

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var present: [Visitor] = []
  }

  var state = State()
  let probe: Probe

  static func input(for change: PresenceChange) -> Input? { .presence(change) }

  func transform(_ input: Input) -> [Action] { [input] }

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.restored()
    return []
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .presence(let change): change.update(&state.present)
    }
  }
}
