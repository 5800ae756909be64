import UIFusionKit

/// Stores its numbers beside a long text, so that its States are stored as patches.
///
/// Each number is announced by a Pulse.
struct Book: ViewModelProtocol {
  enum Input: Codable, Sendable { case add(Int) }
  enum Action: Sendable { case add(Int) }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    @Pulse var newest = 0
    var text = longText
    /// The number of items, which a stored State of format 1 lacks.
    var count = 0
  }

  static let stateFormat = 2

  static func migrate(_ stored: StoredState, from format: Int) throws -> State {
    let old = try stored.decode(OldBook.State.self)
    var state = State(items: old.items, text: old.text, count: old.items.count)
    state.$newest = old.$newest
    return state
  }

  var state = State()
  let probe: Probe

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .add(let number):
      state.items.append(number)
      state.count = state.items.count
      state.newest = number
    }
  }
}

/// The ``Book`` of an older deployment.
struct OldBook: ViewModelProtocol {
  typealias Input = Book.Input
  typealias Action = Book.Action

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    @Pulse var newest = 0
    var text = longText
  }

  var state = State()
  let probe: Probe

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .add(let number):
      state.items.append(number)
      state.newest = number
    }
  }
}

/// A text that is too long for States to be stored in whole.
private let longText = String(repeating: "All work and no play. ", count: 100)
