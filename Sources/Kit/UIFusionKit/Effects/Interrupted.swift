/// The work of a view model that was running when its process ended, as far as it is known.
///
/// The names of running work are stored with each turn that changes State or asks for work. Work that ended
/// after the last such turn is therefore still named. Trust State first; use the ids for anything that State
/// does not tell.
public struct Interrupted: Sendable, Equatable {
  /// The name of work without an id: a suspended `perform`, or an effect without an id.
  static let unnamed = "unnamed"

  /// The item among the names if some of the work was caused by foreign Inputs.
  static let foreign = "foreign"

  /// The item among the names if State may list visitors, who have to be reported as gone: see
  /// ``PresenceObserving``.
  static let visitors = "visitors"

  /// Whether some of the work was caused by foreign Inputs, as then is all that follows it.
  let isForeign: Bool
  /// Whether State may list visitors.
  let hasVisitors: Bool
  /// The names, sorted by their bytes, so that those of one of many children are found quickly.
  private let names: [String]

  package init(_ names: [String]) {
    self.names = Self.work(in: names).sortedByBytes
    isForeign = names.contains(Self.foreign)
    hasVisitors = names.contains(Self.visitors)
  }

  /// Returns what is stored with a turn beside the names of work, and outlives that work: whether there are visitors.
  package static func marks(in names: [String]) -> [String] { names.filter { $0 == visitors } }

  /// Returns the names of work among those that are stored with a turn.
  package static func work(in names: [String]) -> [String] {
    names.filter { $0 != foreign && $0 != visitors }
  }

  /// Creates a value for a test of `restored`.
  public init(ids: (any Hashable & Sendable)...) {
    self.init(ids.map { EffectID($0).storedName })
  }

  /// Creates a value for a test of a parent's `restored`: the effects of one child.
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

  /// Returns the running work of a child.
  func within(_ slot: ChildSlot) -> Interrupted {
    // The name for work without an id is the only one, if present.
    if names == [Self.unnamed] { return self }
    let start = slot.name + "/"
    // "0" is the character after "/".
    let found = names[names.place(of: start)..<names.place(of: slot.name + "0")]
    return Interrupted(
      found.compactMap { name in
        name.utf8.starts(with: start.utf8) ? String(name.utf8.dropFirst(start.utf8.count)) : nil
      }
    )
  }

  /// Returns whether an effect with an id was running, or queued behind another.
  ///
  /// Ids are compared by the names of their types and by their printed values.
  public func contains(_ id: some Hashable & Sendable) -> Bool {
    let name = EffectID(id).storedName
    return names.contains { $0.hasSameBytes(as: name) }
  }
}

extension [String] {
  /// The names in the order of their bytes.
  var sortedByBytes: [String] { sorted { $0.precedesInBytes($1) } }

  /// Returns the index of the first name that is not less than `name`, in an array that is sorted by bytes.
  func place(of name: String) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        self[middle].precedesInBytes(name)
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
