extension TodosViewModel {
  /// What a client sees.
  package struct State: Codable, Equatable, Sendable {
    /// All of them, whatever the filter: a page shows those that it wants.
    package var todos: [Todo] {
      didSet { remaining = todos.count { !$0.isDone } }
    }
    package var filter: Filter
    /// Follows from `todos`, and is stored beside them: only what is stored is on the wire.
    package private(set) var remaining: Int

    package init(todos: [Todo] = [], filter: Filter = .all) {
      self.todos = todos
      self.filter = filter
      remaining = todos.count { !$0.isDone }
    }
  }

  /// One thing to do.
  package struct Todo: Codable, Equatable, Sendable {
    package let id: String
    package var title: String
    package var isDone: Bool

    package init(id: String, title: String, isDone: Bool = false) {
      self.id = id
      self.title = title
      self.isDone = isDone
    }
  }

  /// Which of them to show.
  package enum Filter: String, Codable, Sendable {
    case all, active, completed
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case add(title: String)
    case toggle(id: String)
    case rename(id: String, title: String)
    case delete(id: String)
    case clearCompleted
    case setFilter(Filter)
  }

  /// What is done about it.
  package enum Action: Codable, Equatable, Sendable {
    case add(Todo)
    case toggle(id: String)
    case rename(id: String, title: String)
    case delete(id: String)
    case clearCompleted
    case setFilter(Filter)
    case sortLater, sort
  }
}
