/// The members that differ between two values, for people to read.
///
/// ```
/// value: 0 → 1
/// todos[2].title: "milk" → "bread"
/// ```
///
/// `Secret` and `Redacted` members appear as dots.
public struct StateDifference: CustomStringConvertible, Sendable {
  /// A member that differs, with its printed form before and after; nil if it is missing.
  public struct Member: Sendable, Equatable {
    /// The path of the member, such as `todos[2].title`; empty for the whole value.
    public let path: String
    /// The printed form before.
    public let before: String?
    /// The printed form after.
    public let after: String?

    /// Creates a member from its parts.
    public init(path: String, before: String?, after: String?) {
      self.path = path
      self.before = before
      self.after = after
    }
  }

  /// The members that differ, in the order of their declaration.
  public let members: [Member]

  /// Compares two values by reflection.
  public init<Value>(from before: Value, to after: Value) {
    let (before, after) = (leaves(of: before), leaves(of: after))
    let (old, new) = (byPath(before), byPath(after))
    let paths = before.map(\.path) + after.map(\.path).filter { old[$0] == nil }
    members = paths.compactMap { path in
      old[path] == new[path] ? nil : Member(path: path, before: old[path], after: new[path])
    }
  }

  /// The differences, one line for each member.
  public var description: String {
    members.map { member in
      let path = member.path.isEmpty ? "" : "\(member.path): "
      return "\(path)\(member.before ?? "nothing") → \(member.after ?? "nothing")"
    }
    .joined(separator: "\n")
  }
}

private typealias Leaf = (path: String, text: String)

private func byPath(_ leaves: [Leaf]) -> [String: String] {
  Dictionary(leaves.map { ($0.path, $0.text) }) { first, _ in first }
}

/// Returns the parts of a value, down to those that have no parts of their own.
private func leaves(of value: Any, at path: String = "") -> [Leaf] {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional:
    guard let some = mirror.children.first else { return [(path, "nil")] }
    return leaves(of: some.value, at: path)
  case .collection:
    return mirror.children.enumerated().flatMap { leaves(of: $1.value, at: "\(path)[\($0)]") }
  case .dictionary:
    return mirror.children.flatMap { leaves(ofEntry: $0.value, at: path) }.sorted {
      $0.path < $1.path
    }
  case .struct, .class, .tuple:
    guard !mirror.children.isEmpty else { break }
    return mirror.children.flatMap { child in
      // A property wrapper's storage begins with an underscore.
      let label = (child.label ?? "").drop { $0 == "_" }
      return leaves(of: child.value, at: path.isEmpty ? String(label) : "\(path).\(label)")
    }
  default: break
  }
  return [(path, text(of: value))]
}

/// Returns the printed form of a value; for an enum's case its name, without type and module.
private func text(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum, !(value is any CustomStringConvertible),
    !(value is any CustomDebugStringConvertible)
  else { return String(reflecting: value) }
  guard let child = mirror.children.first, let name = child.label else { return "\(value)" }
  let values = Mirror(reflecting: child.value)
  let parts =
    values.displayStyle == .tuple
    ? values.children.map { part in
      let label = part.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
      return label + text(of: part.value)
    } : [text(of: child.value)]
  return "\(name)(\(parts.joined(separator: ", ")))"
}

private func leaves(ofEntry entry: Any, at path: String) -> [Leaf] {
  let parts = Array(Mirror(reflecting: entry).children)
  guard parts.count == 2 else { return [(path, String(reflecting: entry))] }
  return leaves(of: parts[1].value, at: "\(path)[\(parts[0].value)]")
}
