/// The members in which stored State differs from its current type.
///
/// A member is written as `todos.*.isUrgent`; `*` is any element of a list or a dictionary.
package struct StateChanges: Sendable, Equatable {
  /// The members that stored State lacks, and for which a value was found.
  package var added: [String] = []
  /// The members that State no longer has, and that were dropped.
  package var dropped: [String] = []

  /// The members that got their new names, as `title to name`.
  package var renamed: [String] = []

  package init() {}

  package var isEmpty: Bool { added.isEmpty && dropped.isEmpty && renamed.isEmpty }

  /// Adds the changes of another State.
  package mutating func formUnion(_ other: StateChanges) {
    added += other.added.filter { !added.contains($0) }
    dropped += other.dropped.filter { !dropped.contains($0) }
    renamed += other.renamed.filter { !renamed.contains($0) }
  }
}
