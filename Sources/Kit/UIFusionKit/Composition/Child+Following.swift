extension Child where Model: SessionFollowing {
  /// Returns what the child follows, for the parent's ``SessionFollowing/following``; nothing if the child is not there.
  public func following(in state: Parent.State) -> [Following<Parent.Action>] {
    guard let inner = place.read(state) else { return [] }
    model.takeOver(inner)
    var slot = slot
    if let identity = identify(inner) { slot.identity = identity }
    return model.value.following.map { Following($0.erased.within(slot, embed)) }
  }
}

extension Children where Model: SessionFollowing {
  /// Returns what all children follow.
  public func following(in state: Parent.State) -> [Following<Parent.Action>] {
    ids(state).flatMap { child($0).following(in: state) }
  }
}
