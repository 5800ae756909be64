/// Reads and changes a child's State in its parent's.
///
/// State is changed in place: one copy per level of children would exhaust the stack if States are large.
struct ChildAccessor<Outer, Inner>: Sendable {
  /// Returns the child's State; nil if the child is absent.
  let read: @Sendable (_ outer: Outer) -> Inner?
  /// Calls a function with the child's State; returns false if the child is absent.
  let modify: @Sendable (_ outer: inout Outer, _ body: (inout Inner) -> Void) -> Bool

  /// Creates the accessor of a child that is always present.
  init(_ member: any WritableKeyPath<Outer, Inner> & Sendable) {
    read = { $0[keyPath: member] }
    modify = { outer, body in
      body(&outer[keyPath: member])
      return true
    }
  }

  /// Creates the accessor of a child that may be absent.
  init(optional member: any WritableKeyPath<Outer, Inner?> & Sendable) {
    read = { $0[keyPath: member] }
    modify = { outer, body in
      // Otherwise a computed member would be set although the child is absent.
      guard isThere(member, in: outer) else { return false }
      return outer[keyPath: member].modify(body)
    }
  }

  /// Creates the accessor of a child in a collection.
  init<List: ChildCollection>(
    of id: List.ChildID,
    in list: any WritableKeyPath<Outer, List> & Sendable
  ) where List.ChildState == Inner, List.ChildID: Sendable {
    read = { $0[keyPath: list][id: id] }
    modify = { outer, body in outer[keyPath: list].modify(id, body) }
  }
}

// Not inlined: the copy of the value would stay on the stack of each level below.
@inline(never)
private func isThere<Outer, Inner>(_ member: KeyPath<Outer, Inner?>, in outer: Outer) -> Bool {
  outer[keyPath: member] != nil
}

extension Optional {
  /// Calls a function with the value, in place; returns false for nil.
  fileprivate mutating func modify(_ body: (inout Wrapped) -> Void) -> Bool {
    guard self != nil else { return false }
    // Guard: checked above. A pattern would copy the value to the stack.
    // swift-format-ignore: NeverForceUnwrap
    body(&self!)
    return true
  }
}
