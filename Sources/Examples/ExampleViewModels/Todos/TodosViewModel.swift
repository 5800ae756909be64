package import UIFusionKit

/// A list of things to do, in which the done ones sink to the end (the reducing pattern, with a
/// debounce).
package struct TodosViewModel: ReducerViewModel {
  package var state = State()
  private let random: RandomSource

  package init(random: RandomSource) {
    self.random = random
  }

  private enum EffectName { case sort }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    // The id is drawn here, and is a part of the action: `reduce` is pure, and an action that is done
    // again later gives the same todo.
    case .add(let title): [.add(Todo(id: random.uuid(), title: title))]
    case .toggle(let id): [.toggle(id: id)]
    case .rename(let id, let title): [.rename(id: id, title: title)]
    case .delete(let id): [.delete(id: id)]
    case .clearCompleted: [.clearCompleted]
    case .setFilter(let filter): [.setFilter(filter)]
    }
  }

  /// What was about to be sorted is, after a whole second.
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
    case .sortLater:
      // What is ticked stays under the finger for a while; each further toggle prolongs that.
      return [.debounce(id: EffectName.sort, for: .seconds(1), .action(.sort))]
    case .sort:
      // Both parts keep their order.
      state.todos = state.todos.filter { !$0.isDone } + state.todos.filter(\.isDone)
    }
    return []
  }

  /// Nil where it was deleted meanwhile, by another page of the same session.
  private func index(of id: String, in state: State) -> Int? {
    state.todos.firstIndex { $0.id == id }
  }
}
