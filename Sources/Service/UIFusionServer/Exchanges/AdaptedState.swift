import FusionSessions
import FusionStrictJSON
import FusionTypeShapes

/// A stored State, adapted to its current type.
///
/// A member that the type has gained is taken from a fresh State of the view model. Within elements of a list or a
/// dictionary that is the value which all elements of the fresh State share. Where there is none, the member
/// becomes the neutral value of its type, such as `false` or `null`. A member that the type has lost gets its new name,
/// or is dropped where that is allowed.
struct AdaptedState<State: Codable> {
  private(set) var state: State
  private(set) var changes = StateChanges()

  /// The most changes, each to all places that need it.
  private static var limit: Int { 64 }

  /// Wraps a State that needs no change.
  init(_ state: State) {
    self.state = state
  }

  /// Reads a State; calls `fresh` only if it needs a change.
  ///
  /// Throws for a text that does not fit the type for another reason, or if `mayDrop` returns false for a
  /// member. `renamed` has the new names by the old ones, with their places.
  init(
    _ root: JSONValue,
    mayDrop: (String) -> Bool,
    renamed: [String: String] = [:],
    fresh: () -> JSONTree?
  ) throws {
    do throws(JSONError) {
      state = try root.decode(State.self)
      return
    } catch {
      guard [.missingMember, .unknownMember].contains(error.kind) else { throw error }
    }
    let fresh = fresh()
    let shape = TypeShape(of: State.self)
    var tree = JSONTree(root)
    for names in MemberNames.all(in: renamed) {
      let next = tree.renaming(names, shape)
      if next != tree { changes.renamed += names.texts }
      tree = next
    }
    for _ in 0...Self.limit {
      let document = try JSONDocument(tree.bytes)
      do throws(JSONError) {
        state = try document.root.decode(State.self)
        return
      } catch {
        let name = shape.name(of: error.path)
        let changed: JSONTree
        switch error.kind {
        case .missingMember:
          // Elements may differ in the members that they lack.
          guard !changes.dropped.contains(name),
            let value = shape.value(at: error.path, in: fresh)
          else { throw error }
          changed = tree.adding(value, at: error.path, shape)
          changes.added.append(name)
        case .unknownMember where mayDrop(name):
          changed = tree.removing(at: error.path, shape)
          changes.dropped.append(name)
        default: throw error
        }
        guard changed != tree else { throw error }
        tree = changed
      }
    }
    throw TooManyChanges()
  }
}

/// The new names of members of one place.
private struct MemberNames {
  let place: [String]
  /// The new names by the old ones.
  let new: [String: String]

  /// Returns the names by their places, the deepest first: a place is written with the old names.
  static func all(in renamed: [String: String]) -> [MemberNames] {
    let pairs = renamed.map { old, new in
      let path = old.split(separator: ".").map(String.init)
      return (place: Array(path.dropLast()), old: path.last ?? old, new: new)
    }
    return Dictionary(grouping: pairs, by: \.place)
      .map { place, pairs in
        MemberNames(place: place, new: Dictionary(pairs.map { ($0.old, $0.new) }) { $1 })
      }
      .sorted { ($1.place.count, $0.place.joined()) < ($0.place.count, $1.place.joined()) }
  }

  /// A text for each name: `title to name`.
  var texts: [String] {
    new.sorted { $0.key < $1.key }
      .map { (place + [$0.key]).joined(separator: ".") + " to \($0.value)" }
  }
}

/// The error of a State that differs from its type in too many members.
private struct TooManyChanges: Error, CustomStringConvertible {
  let description = "State has changed in too many members: raise stateFormat, and migrate"
}

extension TypeShape {
  /// Returns the value for a member that stored State lacks; nil if there is none.
  fileprivate func value(at path: [String], in fresh: JSONTree?) -> JSONTree? {
    let values = Set(fresh?.values(at: path[...], self) ?? [])
    guard values.count == 1, isOfOne(path) || !isIdentity(path) else { return neutral(at: path) }
    return values.first
  }
}

extension JSONTree {
  /// Returns the values at the end of a path; a list or a dictionary on it yields those of all its
  /// elements.
  fileprivate func values(
    at path: ArraySlice<String>,
    behind steps: [String] = [],
    _ shape: TypeShape
  ) -> [JSONTree] {
    guard let step = path.first else { return [self] }
    let next: [JSONTree] =
      switch self {
      case .array(let elements): elements
      case .object(let members) where shape.hasAnyMembers(at: steps): members.map(\.value)
      default: self[step].map { [$0] } ?? []
      }
    return next.flatMap { $0.values(at: path.dropFirst(), behind: steps + [step], shape) }
  }

  /// Returns the tree with a member added at the end of a path, wherever it is missing.
  fileprivate func adding(_ value: JSONTree, at path: [String], _ shape: TypeShape) -> JSONTree {
    changingObjects(at: path.dropLast(), shape) { members in
      let isThere = members.contains { $0.name == path.last }
      return isThere ? members : members + path.suffix(1).map { Member($0, value) }
    }
  }

  /// Returns the tree with members of one place renamed, all at once, wherever no two get one name.
  fileprivate func renaming(_ names: MemberNames, _ shape: TypeShape) -> JSONTree {
    changingObjects(at: names.place[...], shape) { members in
      let renamed = members.map { Member(names.new[$0.name] ?? $0.name, $0.value) }
      return Set(renamed.map(\.name)).count == members.count ? renamed : members
    }
  }

  /// Returns the tree without the member at the end of a path.
  fileprivate func removing(at path: [String], _ shape: TypeShape) -> JSONTree {
    changingObjects(at: path.dropLast(), shape) { $0.filter { $0.name != path.last } }
  }

  /// Returns the tree with the object at the end of a path changed; in a list or a dictionary, each
  /// element's.
  private func changingObjects(
    at path: ArraySlice<String>,
    behind steps: [String] = [],
    _ shape: TypeShape,
    _ change: ([Member]) -> [Member]
  ) -> JSONTree {
    func next(_ tree: JSONTree) -> JSONTree {
      tree.changingObjects(
        at: path.dropFirst(),
        behind: steps + path.prefix(1),
        shape,
        change
      )
    }
    switch self {
    case .array(let elements) where !path.isEmpty: return .array(elements.map(next))
    case .object(let members):
      guard let step = path.first else { return .object(change(members)) }
      let isOfAny = shape.hasAnyMembers(at: steps)
      return .object(
        members.map { isOfAny || $0.name == step ? Member($0.name, next($0.value)) : $0 }
      )
    default: return self
    }
  }
}
