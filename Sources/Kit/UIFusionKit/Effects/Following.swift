/// A session that a view model follows: its State comes as an action whenever it is newer.
///
/// See ``SessionFollowing``.
public struct Following<Action: Sendable>: Sendable {
  let erased: AnyFollowing

  /// Creates the following of one session.
  ///
  /// Members of the State that `type` does not have are left out: for a part of it, pass a type with the members of that
  /// part. A State that is equal to the one before as a value of `type` leads to no action; one whose turn is refused is
  /// not shown again. Of two followings of one session as one type, the first gets the actions.
  ///
  /// - Parameters:
  ///   - address: the session.
  ///   - type: the type as which its State is read, as clients get it.
  ///   - ended: the action for the end of the session; also where there is none, or not for the follower's identity. A
  ///     session of that name that is created later is looked for once the follower has slept.
  ///   - action: returns the action for the newest State.
  public init<Value: Codable & Equatable & Sendable>(
    _ address: SessionAddress,
    as type: Value.Type,
    ended: Action? = nil,
    _ action: @escaping @Sendable (_ state: Value) -> Action
  ) {
    erased = AnyFollowing(
      id: FollowingID(address: address, type: ObjectIdentifier(type)),
      type: type,
      ended: ended,
      action: { value, previous in
        guard let value = value as? Value, value != previous as? Value else { return nil }
        return action(value)
      }
    )
  }

  init(_ erased: AnyFollowing) { self.erased = erased }
}

/// A following as the engine sees it, without types.
struct AnyFollowing: Sendable {
  var id: FollowingID
  let type: any (Codable & Equatable & Sendable).Type
  var ended: (any Sendable)?
  /// Returns the action for a value of the type; nil if it is equal to the one before.
  var action: @Sendable (_ value: any Sendable, _ previous: (any Sendable)?) -> (any Sendable)?

  /// Returns the following of a child as its parent's.
  func within(
    _ slot: ChildSlot,
    _ embed: @escaping @Sendable (any Sendable) -> any Sendable
  ) -> AnyFollowing {
    var following = self
    following.id.slots.insert(slot, at: 0)
    following.ended = ended.map(embed)
    following.action = { [action] in action($0, $1).map(embed) }
    return following
  }
}

/// The identity of a following: what is followed, as which type, and by which child.
struct FollowingID: Hashable, Sendable {
  let address: SessionAddress
  let type: ObjectIdentifier
  /// The children that lead to the one that follows.
  var slots: [ChildSlot] = []
}

/// The newest view of a followed session.
package enum FollowedView: Sendable {
  /// A State as clients get it, as JSON.
  case json([UInt8])
  /// A State in its own type, from a test.
  case value(any Sendable)
  /// The session is over, is none, or is not the follower's to see.
  case ended
}
