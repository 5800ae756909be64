import FusionStrictJSON
import FusionTypeShapes

/// A stored State of today's format, with the members that State has gained since it was stored.
///
/// A member comes from a fresh State of the view model; within a list that is empty there, it is the value
/// of its type that says nothing, as `false` or `null`.
struct CompletedState<State: Codable> {
  private(set) var state: State
  /// The members that were put in, as `todos.*.isUrgent`.
  private(set) var added: [String] = []

  /// Each adds a member to as many places as lack it.
  private static var limit: Int { 64 }

  /// One that lacks nothing.
  init(_ state: State) {
    self.state = state
  }

  /// Reads a State; `fresh` is asked for only where a member is missing.
  ///
  /// - Throws: what does not fit the type and is no missing member.
  init(_ root: JSONValue, fresh: () -> JSONTree?) throws {
    do throws(JSONError) {
      state = try root.decode(State.self)
      return
    } catch {
      guard error.kind == .missingMember else { throw error }
    }
    let fresh = fresh()
    let shape = TypeShape(of: State.self)
    var tree = JSONTree(root)
    while true {
      let document = try JSONDocument(tree.bytes)
      do throws(JSONError) {
        state = try document.root.decode(State.self)
        return
      } catch {
        guard error.kind == .missingMember, added.count < Self.limit,
          let value = fresh.flatMap({ value(at: error.path, of: $0) })
            ?? shape.neutral(at: error.path),
          let completed = tree.adding(value, at: error.path[...])
        else { throw error }
        tree = completed
        added.append(name(of: error.path, in: tree))
      }
    }
  }
}

/// What stands in a fresh State; of a list, its first element stands for all.
private func value(at path: [String], of tree: JSONTree) -> JSONTree? {
  path.reduce(tree) { tree, step in
    if case .array(let elements) = tree { elements.first } else { tree?[step] }
  }
}

/// A path in which any element of a list is meant.
private func name(of path: [String], in tree: JSONTree) -> String {
  var current: JSONTree? = tree
  let steps = path.map { step in
    if case .array(let elements)? = current {
      current = Int(step).flatMap { elements.dropFirst($0).first }
      return "*"
    }
    current = current?[step]
    return step
  }
  return steps.joined(separator: ".")
}

extension JSONTree {
  /// With a member added at the end of a path: in a list, to each element that lacks it.
  ///
  /// Nil where nothing lacks it.
  fileprivate func adding(_ value: JSONTree, at path: ArraySlice<String>) -> JSONTree? {
    guard let step = path.first else { return nil }
    switch self {
    case .array(let elements):
      let completed = elements.map { $0.adding(value, at: path.dropFirst()) }
      guard completed.contains(where: { $0 != nil }) else { return nil }
      return .array(zip(elements, completed).map { $1 ?? $0 })
    case .object(let members) where path.count == 1:
      return self[step] == nil ? .object(members + [Member(step, value)]) : nil
    case .object(let members):
      guard let index = members.firstIndex(where: { $0.name == step }),
        let completed = members[index].value.adding(value, at: path.dropFirst())
      else { return nil }
      var members = members
      members[index] = Member(step, completed)
      return .object(members)
    default: return nil
    }
  }
}
