import UIFusionKit

/// A view model that follows a ``Ledger`` and keeps its notes.
struct Fan: ReducerViewModel, SessionFollowing {
  enum Input: Codable, Equatable, Sendable {
    case follow(String?), followNamed(String, shared: Bool)
    /// Follows a name from one session to the next.
    case watchNamed(String, shared: Bool)
  }
  enum Action: Codable, Equatable, Sendable { case input(Input), shown(Notes), over }

  /// A part of the ledger's State.
  struct Notes: Codable, Equatable, Sendable { var notes: [Int] }

  struct State: Codable, Equatable, Sendable {
    var source: String?
    var name: String?
    var isShared = false
    var notes: [Int] = []
    /// The number of States received.
    var count = 0
    var isOver = false
    /// Whether the name is followed on after the end of a session.
    var goesOn = false
    /// The number of ends.
    var ends = 0
  }

  var state = State()

  var following: [Following<Action>] {
    var address: SessionAddress?
    if let source = state.source { address = .id(source) }
    if let name = state.name { address = .named(name, of: "ledger", shared: state.isShared) }
    guard let address else { return [] }
    return [Following(address, as: Notes.self, ended: .over) { .shown($0) }]
  }

  func transform(_ input: Input) -> [Action] { [.input(input)] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .input(.follow(let source)): state = State(source: source)
    case .input(.followNamed(let name, let isShared)):
      state = State(name: name, isShared: isShared)
    case .input(.watchNamed(let name, let isShared)):
      state = State(name: name, isShared: isShared, goesOn: true)
    case .shown(let shown):
      state.notes = shown.notes
      state.count += 1
    case .over where state.goesOn: state.ends += 1
    case .over: state = State(notes: state.notes, count: state.count, isOver: true)
    }
    return []
  }
}
