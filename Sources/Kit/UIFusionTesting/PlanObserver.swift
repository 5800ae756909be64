import FusionStrictJSON
import Synchronization
import UIFusionKit

/// An observer of an engine that collects the names of actions and of the members of State that change.
final class PlanObserver<Model: ViewModel>: Sendable where Model.State: Encodable {
  struct Seen {
    /// The names of the actions, in the order of their first occurrence.
    var actions: [String] = []
    /// The members of State, in order.
    var members: [String] = []
    var steps: [Step] = []

    /// The members that changed in any step.
    var changed: Set<String> { Set(steps.flatMap(\.members)) }
  }

  /// A change from one State to the next.
  struct Step {
    /// The actions that may have made the change; empty if it completes earlier work.
    let actions: [String]
    /// The members that changed.
    let members: [String]

    /// Every pair of an action and a member.
    var possibilities: [Change] {
      actions.flatMap { action in members.map { Change(action: action, member: $0) } }
    }
  }

  /// An action and a member that it changes.
  struct Change: Hashable {
    let action: String
    let member: String
  }

  private struct Contents {
    var seen = Seen()
    /// The actions whose changes may not all have been published.
    var recent: [String] = []
    /// Whether a State was published after the last of them.
    var isPublished = false
  }

  private let contents = Mutex(Contents())

  var seen: Seen { contents.withLock { $0.seen } }

  func begin(_ state: Model.State) {
    let members = members(of: state).map(\.name)
    contents.withLock { $0.seen.members = members }
  }

  /// Discards everything observed so far.
  func forget() {
    contents.withLock { $0 = Contents(seen: Seen(members: $0.seen.members)) }
  }

  func note(_ event: TraceEvent<Model>) {
    switch event {
    case .input:
      contents.withLock { $0.recent = [] }
    case .action(let action, let isSent):
      let name = caseName(of: action)
      contents.withLock { contents in
        // A sent action is a turn of its own. Within a turn, a new State before the next action means that
        // the changes of the earlier ones are published; otherwise they are published together.
        if isSent || contents.isPublished { contents.recent = [] }
        contents.isPublished = false
        contents.recent = unique(contents.recent + [name])
        contents.seen.actions = unique(contents.seen.actions + [name])
      }
    case .state(let state, let before, _):
      let before = Set(members(of: before))
      let changed = members(of: state).filter { !before.contains($0) }.map(\.name)
      contents.withLock { contents in
        contents.seen.steps.append(Step(actions: contents.recent, members: changed))
        contents.isPublished = true
      }
    case .error:
      // The event does not name the failed action.
      contents.withLock { $0.recent = $0.seen.actions }
    case .effect, .ended: break
    }
  }

  private func members(of state: Model.State) -> [JSONTree.Member] {
    (try? JSONTree(encoding: state, for: .clients))?.members ?? []
  }
}

/// Returns each element once, in the order of their first occurrence.
func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
