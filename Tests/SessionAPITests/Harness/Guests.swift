import UIFusionKit

/// A view model that keeps the present visitors, and the presence changes that it was told of.
struct Guests: ViewModelProtocol, PresenceObserving {
  enum Input: Codable, Sendable { case presence(PresenceChange), call }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var present: [Visitor] = []
    var changes: [String] = []
    var calls = 0
  }

  var state = State()

  static func input(for change: PresenceChange) -> Input? { .presence(change) }

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    switch action {
    case .call: state.calls += 1
    case .presence(let change):
      change.update(&state.present)
      let names = change.visitors.map { "\($0.identity ?? "?") \($0.role)" }
      state.changes.append("\(change.kind): \(names.joined(separator: ", "))")
    }
  }
}
