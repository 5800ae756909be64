package import UIFusionKit

/// A list of things to do, which moves completed ones to the end (the reducing pattern, with a debounce).
package struct TodosViewModel: ReducerViewModel {
  package var state = State()
  private let random: RandomSource

  package init(random: RandomSource) {
    self.random = random
  }

  private enum EffectName { case sort }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    // The id is drawn here and is part of the action: so `reduce` stays pure, and replaying the action
    // gives the same todo.
    case .add(let title): [.add(Todo(id: random.uuid(), title: title))]
    case .toggle(let id): [.toggle(id: id)]
    case .rename(let id, let title): [.rename(id: id, title: title)]
    case .delete(let id): [.delete(id: id)]
    case .clearCompleted: [.clearCompleted]
    case .setFilter(let filter): [.setFilter(filter)]
    case .setAll(let isDone): [.setAll(isDone: isDone)]
    case .edit(let id, let title):
      title.trimmed.isEmpty ? [.delete(id: id)] : [.rename(id: id, title: title.trimmed)]
    }
  }

  /// Restarts the second after which the list is sorted.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    interrupted.contains(EffectName.sort) ? [.sortLater] : []
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let todo):
      state.todos.append(todo)
    case .toggle(let id):
      guard let index = index(of: id, in: state) else { break }
      state.todos[index].isDone.toggle()
      return reduce(state: &state, action: .sortLater)
    case .rename(let id, let title):
      guard let index = index(of: id, in: state) else { break }
      state.todos[index].title = title
    case .delete(let id):
      state.todos.removeAll { $0.id == id }
    case .clearCompleted:
      state.todos.removeAll(where: \.isDone)
    case .setFilter(let filter):
      state.filter = filter
    case .setAll(let isDone):
      // Assigned as a whole: each assignment counts what remains.
      state.todos = state.todos.map { Todo(id: $0.id, title: $0.title, isDone: isDone) }
    case .sortLater:
      // A toggled todo stays in place for a second; each further toggle restarts the second.
      return [.debounce(id: EffectName.sort, for: .seconds(1), .action(.sort))]
    case .sort:
      // The order within each part stays.
      state.todos = state.todos.filter { !$0.isDone } + state.todos.filter(\.isDone)
    }
    return []
  }

  /// Returns a todo's index; nil if another page of the session has deleted the todo.
  private func index(of id: String, in state: State) -> Int? {
    state.todos.firstIndex { $0.id == id }
  }
}

extension TodosViewModel {
  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// All todos, whatever the filter: the page selects which to show.
    package var todos: [Todo] {
      didSet { remaining = todos.count { !$0.isDone } }
    }
    package var filter: Filter
    /// The number of todos to do; a stored property, since computed ones are not coded.
    package private(set) var remaining: Int

    package init(todos: [Todo] = [], filter: Filter = .all) {
      self.todos = todos
      self.filter = filter
      remaining = todos.count { !$0.isDone }
    }
  }

  /// A thing to do.
  package struct Todo: Codable, Equatable, Sendable {
    package let id: String
    package var title: String
    package var isDone = false
  }

  /// The todos to show.
  package enum Filter: String, Codable, Sendable {
    case all, active, completed
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case add(title: String)
    case toggle(id: String)
    case rename(id: String, title: String)
    case delete(id: String)
    case clearCompleted
    case setFilter(Filter)
    /// Marks all todos as done, or as to do.
    case setAll(isDone: Bool)
    /// Renames to a text without blanks at its ends; a blank text deletes.
    case edit(id: String, title: String)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case add(Todo)
    case toggle(id: String)
    case rename(id: String, title: String)
    case delete(id: String)
    case clearCompleted
    case setFilter(Filter)
    case setAll(isDone: Bool)
    case sortLater, sort
  }
}
