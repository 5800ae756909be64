import FusionStrictJSON
import Synchronization
import UIFusionKit

/// What an engine was seen to do, by the names of its actions and of the members of State.
final class ObservedRun<Model: ViewModel>: Sendable where Model.State: Encodable {
  struct Seen {
    /// The names of the actions, each where it first came.
    var actions: [String] = []
    /// The members that State has, in order.
    var members: [String] = []
    var steps: [Step] = []

    /// The members that changed, in whatever step.
    var changed: Set<String> { Set(steps.flatMap(\.members)) }
  }

  /// From one State to the next.
  struct Step {
    /// Those that may have done it; none where it is the end of what had begun before.
    let actions: [String]
    /// The members that changed.
    let members: [String]

    /// Each action with each member.
    var possibilities: [Change] {
      actions.flatMap { action in members.map { Change(action: action, member: $0) } }
    }
  }

  /// An action, and a member that it changes.
  struct Change: Hashable {
    let action: String
    let member: String
  }

  private struct Contents {
    var seen = Seen()
    /// The actions whose changes have not all been seen, as far as one can tell.
    var recent: [String] = []
    /// Whether there was a new State after the last of them.
    var isPublished = false
  }

  private let contents = Mutex(Contents())

  var seen: Seen { contents.withLock { $0.seen } }

  func begin(_ state: Model.State) {
    let members = members(of: state).map(\.name)
    contents.withLock { $0.seen.members = members }
  }

  /// Forgets what was done up to now.
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
        // A sent action is a turn of its own. Within a turn, a new State before the next action means
        // that the earlier ones' changes are published; without one they come together.
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
      // Nobody is told whose error it is.
      contents.withLock { $0.recent = $0.seen.actions }
    case .effect, .ended: break
    }
  }

  private func members(of state: Model.State) -> [JSONTree.Member] {
    (try? JSONTree(encoding: state))?.members ?? []
  }
}

/// Each element once, where it first comes.
func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
