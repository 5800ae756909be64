import FusionStrictJSON
import FusionTypeShapes

/// A stored State, completed by the members that its type has gained since it was stored.
///
/// A member comes from a fresh State of the view model; within an element of a list or a dictionary, it is the
/// neutral value of its type, such as `false` or `null`.
struct CompletedState<State: Codable> {
  private(set) var state: State
  /// The added members, as `todos.*.isUrgent`; `*` is any element.
  private(set) var added: [String] = []

  /// The most members that are added, each to all places that lack it.
  private static var limit: Int { 64 }

  /// Wraps a State that lacks nothing.
  init(_ state: State) {
    self.state = state
  }

  /// Reads a State; calls `fresh` only if a member is missing.
  ///
  /// Throws for a text that does not fit the type for another reason.
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
          let value = shape.value(at: error.path, in: fresh),
          let completed = tree.adding(value, at: error.path[...], shape), completed != tree
        else { throw error }
        tree = completed
        added.append(shape.name(of: error.path))
      }
    }
  }
}

extension TypeShape {
  /// Returns a member's value: that of a fresh State or, within a list or a dictionary, the neutral one.
  fileprivate func value(at path: [String], in fresh: JSONTree?) -> JSONTree? {
    isOfOne(path) ? path.reduce(fresh) { tree, step in tree?[step] } : neutral(at: path)
  }
}

extension JSONTree {
  /// Returns the tree with a member added at the end of a path, in a list or a dictionary to each element that
  /// lacks it; nil if nothing lacks it.
  fileprivate func adding(
    _ value: JSONTree,
    at path: ArraySlice<String>,
    behind steps: [String] = [],
    _ shape: TypeShape
  ) -> JSONTree? {
    guard let step = path.first else { return nil }
    func adding(to tree: JSONTree) -> JSONTree? {
      tree.adding(value, at: path.dropFirst(), behind: steps + [step], shape)
    }
    switch self {
    case .array(let elements):
      let completed = elements.map(adding)
      guard completed.contains(where: { $0 != nil }) else { return nil }
      return .array(zip(elements, completed).map { $1 ?? $0 })
    case .object(let members) where shape.hasAnyMembers(at: steps):
      let completed = members.map { adding(to: $0.value) }
      guard completed.contains(where: { $0 != nil }) else { return nil }
      return .object(zip(members, completed).map { Member($0.name, $1 ?? $0.value) })
    case .object(let members) where path.count == 1:
      return self[step] == nil ? .object(members + [Member(step, value)]) : nil
    case .object(let members):
      return .object(
        members.map { $0.name == step ? Member(step, adding(to: $0.value) ?? $0.value) : $0 }
      )
    default: return nil
    }
  }
}
