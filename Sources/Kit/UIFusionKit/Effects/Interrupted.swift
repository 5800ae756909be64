/// The work of a view model that was running when its process ended, as far as it is known.
///
/// The names of running work are stored with each turn that changes State or asks for work. An effect
/// that ended after the last such turn is therefore still named. Trust State first; use the ids for
/// what State does not tell.
public struct Interrupted: Sendable, Equatable {
  /// The name of work without an id: a suspended `perform`, or an effect that has none.
  static let unnamed = "unnamed"

  /// In order, so that those of one of many children are found at once.
  private let names: [String]

  package init(_ names: [String]) {
    self.names = names.sorted()
  }

  /// Creates the value that a test passes to `restored`.
  public init(ids: (any Hashable & Sendable)...) {
    self.init(ids.map { EffectID($0).storedName })
  }

  /// Creates the value that a test of a parent passes to `restored`: effects of one child.
  ///
  /// - Parameters:
  ///   - ids: the ids of the child's effects.
  ///   - member: the child's State in the parent's.
  ///   - id: the id of the child, if it has one.
  public init(
    ids: (any Hashable & Sendable)...,
    within member: any AnyKeyPath & Sendable,
    id: (any Hashable & Sendable)? = nil
  ) {
    let child = ChildSlot(member: member, identity: id.map { EffectID($0) })
    self.init(ids.map { "\(child.name)/\(EffectID($0).storedName)" })
  }

  /// Whether nothing was running.
  public var isEmpty: Bool { names.isEmpty }

  /// Returns what was running of a child.
  func within(_ slot: ChildSlot) -> Interrupted {
    // Work without an id is named alone.
    if names == [Self.unnamed] { return self }
    let start = slot.name + "/"
    // The character after a slash is a zero.
    let found = names[names.place(of: start)..<names.place(of: slot.name + "0")]
    return Interrupted(
      found.compactMap { $0.hasPrefix(start) ? String($0.dropFirst(start.count)) : nil }
    )
  }

  /// Returns whether an effect with an id was running, or queued behind another.
  ///
  /// Ids are compared by the name of their type and by how they print.
  public func contains(_ id: some Hashable & Sendable) -> Bool {
    names.contains(EffectID(id).storedName)
  }
}

extension [String] {
  /// Returns the position of the first name that is not before another, in an array in order.
  func place(of name: String) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = self[middle] < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
