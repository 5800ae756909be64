import FusionSessions
import UIFusionKit
import UIFusionServer

/// A view model in three editions, whose State's shape has changed from each to the next.
enum Recipe {
  /// The first edition: one text.
  struct First: ViewModelProtocol {
    typealias Input = String
    typealias Action = String
    struct State: Codable, Equatable, Sendable { var text = "" }
    var state = State()
    func transform(_ input: String) -> [String] { [input] }
    mutating func perform(_ action: String) { state.text += action }
  }

  /// The second: a list of lines.
  struct Second: ViewModelProtocol {
    typealias Input = String
    typealias Action = String
    struct State: Codable, Equatable, Sendable { var lines: [String] = [] }
    static let stateFormat = 2
    var state = State()
    func transform(_ input: String) -> [String] { [input] }
    mutating func perform(_ action: String) { state.lines.append(action) }

    static func migrate(_ stored: StoredState, from format: Int) throws -> State {
      let old = try stored.decode(First.State.self)
      return State(lines: old.text.split(separator: " ").map(String.init))
    }
  }

  /// The third: the second's form of State, with another meaning.
  struct Third: ViewModelProtocol {
    typealias Input = String
    typealias Action = String
    typealias State = Second.State
    static let stateFormat = 3
    var state = State()
    func transform(_ input: String) -> [String] { [input] }
    mutating func perform(_ action: String) { state.lines.append(action + "!") }

    static func migrate(_ stored: StoredState, from format: Int) throws -> State {
      guard format == 2 else {
        throw StoredState.UnknownFormat(format: format, current: stateFormat)
      }
      return try stored.decode(State.self)
    }
  }

  /// Returns an edition, hosted under the name of all editions.
  static func hosting<Model: ViewModel>(_ make: @escaping @Sendable () -> Model)
    -> [HostedViewModel]
  where Model.Input: Codable, Model.State: Codable {
    var catalog = ViewModelCatalog()
    catalog.host("recipe", summary: "") { _ in make() }
    return catalog.viewModels
  }
}

/// A note with a password, which is not stored.
struct Safe: ViewModelProtocol {
  enum Input: Codable, Sendable { case note(String), lock(Secret<String>) }
  typealias Action = Input

  struct State: Codable, Equatable, Sendable {
    var note = ""
    @Secret var password = ""
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .note(let note): state.note = note
    case .lock(let password): state.password = password.wrappedValue
    }
  }
}

/// An edition before the second, whose `migrate` takes any State.
struct Lenient: ViewModelProtocol {
  typealias Input = String
  typealias Action = String
  typealias State = Recipe.First.State
  var state = State()
  func transform(_ input: String) -> [String] { [input] }
  mutating func perform(_ action: String) { state.text += action }

  static func migrate(_ stored: StoredState, from format: Int) -> State { State() }
}
