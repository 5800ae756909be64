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
    let (before, after) = (PrintedParts(of: before), PrintedParts(of: after))
    let paths = before.paths + after.paths.filter { before[$0] == nil }
    members = paths.compactMap { path in
      let (old, new) = (before[path], after[path])
      guard old.map(ByteString.init) != new.map(ByteString.init) else { return nil }
      // Texts with the same characters in other scalars look alike.
      return old == new
        ? Member(path: path, before: old?.withScalarsEscaped, after: new?.withScalarsEscaped)
        : Member(path: path, before: old, after: new)
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
