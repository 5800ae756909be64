/// A session that a view model follows: each newer State arrives as an action.
///
/// See ``SessionFollowing``.
public struct Following<Action: Sendable>: Sendable {
  let erased: AnyFollowing

  /// Creates the following of one session.
  ///
  /// Members of the State that `type` lacks are ignored: to follow a part of State, pass a type with only the
  /// members of that part. A State that equals the previous one as a `type` causes no action. A State whose
  /// turn is rejected is not delivered again. Of two followings of one session as one type, the first gets
  /// the actions.
  ///
  /// - Parameters:
  ///   - address: the session.
  ///   - type: the type that decodes the State, in the form in which clients get it.
  ///   - ended: the action for the end of the session, also if it does not exist, belongs to another
  ///     identity, or may not be read by its view model's rule. A session that is created under this name later is found only after the follower has
  ///     slept.
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
        guard let value = value as? Value else { return nil }
        if let previous = previous as? Value, !PartComparison.differ(previous, value) { return nil }
        return action(value)
      }
    )
  }

  init(_ erased: AnyFollowing) { self.erased = erased }
}

/// A following with its types erased, for the engine.
struct AnyFollowing: Sendable {
  var id: FollowingID
  let type: any (Codable & Equatable & Sendable).Type
  var ended: (any Sendable)?
  /// Returns the action for a value of the type; nil if it equals the previous value.
  var action: @Sendable (_ value: any Sendable, _ previous: (any Sendable)?) -> (any Sendable)?

  /// Returns the following of a child as one of its parent's.
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

/// The identity of a following: the session, the type, and the child that follows.
struct FollowingID: Hashable, Sendable {
  let address: SessionAddress
  let type: ObjectIdentifier
  /// The slots that lead to the child that follows.
  var slots: [ChildSlot] = []
}

/// The newest view of a followed session.
package enum FollowedView: Sendable {
  /// A State as clients get it, as JSON.
  case json([UInt8])
  /// A State in its own type, from a test.
  case value(any Sendable)
  /// The session has ended, does not exist, or may not be seen by the follower.
  case ended
}
